import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getUser } from '@isotherm/contract/endpoints/administration/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callFor, signInDirectly } from '../../tests/e2e/support/api.ts'
import { listDescendants, listProcesses } from './processes.ts'
import { gatherOutput, type Product, spawnLauncher, startProduct, toProductEnv } from './start-product.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-start-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a start that must not succeed prints on stderr, and its exit code. */
async function refuse(
  env: Record<string, string>,
): Promise<{ readonly code: unknown; readonly lines: string[] }> {
  const child = spawnLauncher(toProductEnv(join(folder, 'refused'), env))
  const output = gatherOutput(child)
  const [code] = await once(child, 'exit')
  return { code, lines: output().trim().split('\n') }
}

async function listenOnFreePort(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The listener has no port')
  return { port: address.port, close: () => server.close() }
}

describe('a start that cannot succeed ends with 1 and one clear line', () => {
  test.each(['ISOTHERM_PORT', 'ISOTHERM_MQTT_PORT'])('when the port of %s is taken', async (name) => {
    const taken = await listenOnFreePort()
    try {
      const { code, lines } = await refuse({ [name]: String(taken.port) })
      expect(lines).toEqual([expect.stringContaining(String(taken.port))])
      expect(code).toBe(1)
    } finally {
      taken.close()
    }
  })

  test('when the data folder cannot be written', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const { code, lines } = await refuse({ ISOTHERM_DATA: join(file, 'data') })
    expect(lines).toEqual([expect.stringContaining(file)])
    expect(code).toBe(1)
  })

  test.each([
    ['DATABASE_URL', 'postgres://isotherm:hidden@127.0.0.1:1/isotherm'],
    ['CLICKHOUSE_URL', 'http://isotherm:hidden@127.0.0.1:1/isotherm'],
    ['MQTT_URL', 'mqtt://127.0.0.1:1'],
  ])('when nobody answers at %s', async (name, url) => {
    const { code, lines } = await refuse({ [name]: url })
    expect(lines).toEqual([expect.stringContaining(name)])
    expect(lines.join()).not.toContain('hidden')
    expect(code).toBe(1)
  })

  test('when a variable has an invalid value', async () => {
    const { code, lines } = await refuse({ ISOTHERM_PORT: 'eighty' })
    expect(lines).toEqual([expect.stringContaining('ISOTHERM_PORT')])
    expect(code).toBe(1)
  })
})

const isReady = async (product: Product): Promise<boolean> => {
  try {
    return (await fetch(`${product.url}/readyz`)).ok
  } catch {
    return false
  }
}

/** The processes of one start, by a pattern of their command lines. */
const parts = {
  postgres: /postgres.* -D /,
  clickhouse: /clickhouse-child/,
  server: /apps\/server\/src\/main\.ts/,
  twin: /apps\/twin\/src\/main\.ts/,
} as const

function findPart(product: Product, part: keyof typeof parts): number | undefined {
  return listDescendants(product.pid).find(({ command }) => parts[part].test(command))?.pid
}

/** A busy machine starts a store slowly; how fast a quiet one does, and how fast it ends, is measured by bench `start`. */
const BUSY = { timeout: 120_000 }

/** Kills a process with SIGKILL, and waits until it is replaced and the product is ready again. */
async function killAndAwait(product: Product, part: keyof typeof parts): Promise<void> {
  const before = findPart(product, part)
  if (before === undefined) throw new Error(`No process of ${part} below ${product.pid}`)
  process.kill(before, 'SIGKILL')
  await expect
    .poll(() => findPart(product, part) ?? before, { ...BUSY, message: `${part} runs again` })
    .not.toBe(before)
  await expect.poll(() => isReady(product), { ...BUSY, message: `ready after ${part}` }).toBe(true)
}

/** Stops the product as a service manager does. Returns the command lines of its processes that are left. */
async function endAndListLeft(product: Product): Promise<readonly string[]> {
  const ours = new Set(listDescendants(product.pid).map(({ pid }) => pid))
  expect(await product.stop(), 'exit code').toBe(0)
  return listProcesses().flatMap(({ pid, command }) => (ours.has(pid) && command !== '' ? [command] : []))
}

test('killed parts are started again, the end leaves no process, and the next start keeps the data', {
  timeout: 600_000,
}, async () => {
  const dataDir = join(folder, 'restarted')
  const first = await startProduct({ dataDir, isCold: true })
  const session = await signInDirectly('viewer', first.url)
  try {
    for (const part of ['postgres', 'clickhouse', 'server', 'twin'] as const) await killAndAwait(first, part)
    expect(await endAndListLeft(first)).toEqual([])
  } finally {
    await first.stop()
  }
  const next = await startProduct({ dataDir, isCold: true })
  try {
    expect(await isReady(next)).toBe(true)
    const user = await callFor(getUser, {}, session.first, next.url)
    expect(user.account).toBe('viewer')
  } finally {
    await next.stop()
  }
})
