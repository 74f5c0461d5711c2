/** A full disk under the whole product: a file system in memory, which only root may mount. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, statfsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

const SIZE_MB = 500
const KIB = Buffer.alloc(1024)

/** Mounts a small file system; undefined if this machine does not allow it. */
function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let folder: string
let isMounted = false
let product: ChildProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-full-'))
  isMounted = mount(folder)
})
afterEach(async () => {
  if (product && product.exitCode === null) {
    const gone = once(product, 'exit')
    product.kill('SIGTERM')
    await gone
  }
  if (isMounted) execFileSync('umount', ['-l', folder])
  await rm(folder, { recursive: true, force: true })
})

const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function fill(): void {
  const file = join(folder, 'ballast')
  execFileSync('fallocate', ['-l', String(freeBytes()), file])
  try {
    for (;;) appendFileSync(file, KIB)
  } catch {
    // It is full.
  }
}

test('a full disk ends no process for good, writes are refused, and it continues when there is room', {
  timeout: 300_000,
}, async ({ skip }) => {
  if (!isMounted) skip('this machine allows no mount')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ISOTHERM_DATA: join(folder, 'data'),
      ISOTHERM_PORT: '0',
      ISOTHERM_MQTT_PORT: '0',
      ISOTHERM_LOG_LEVEL: 'error',
    },
  })
  product = child
  const lines: string[] = []
  let url = ''
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      url ||= /Console +(http\S+)/.exec(line)?.[1] ?? ''
    })
  await expect.poll(() => url, { timeout: 120_000 }).not.toBe('')
  // Known beforehand: so small a disk is never without a warning.
  expect(lines.join('\n')).toMatch(/the disk is filling up/)
  const lock = z
    .object({ stores: z.object({ DATABASE_URL: z.string() }) })
    .parse(JSON.parse(await readFile(join(folder, 'data', 'launcher.lock'), 'utf8')))
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: lock.stores.DATABASE_URL })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  fill()
  const rows = 'insert into ballast select repeat(md5(random()::text), 30) from generate_series(1, 20000)'
  await expect(query(`create table ballast (x text); ${rows}`)).rejects.toMatchObject({ code: '53100' })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  // PostgreSQL cannot continue without room for its write-ahead log: it ends, and may not be given up.
  const flood =
    "select count(pg_logical_emit_message(true, 'x', repeat('x', 1000000))) from generate_series(1, 100)"
  await expect(query(flood)).rejects.toThrow()
  await expect
    .poll(() => lines.some((line) => /postgres is down and waits: the disk of .* is full/.test(line)), {
      timeout: 60_000,
    })
    .toBe(true)
  expect(child.exitCode).toBeNull()
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)

  await rm(join(folder, 'ballast'))
  await expect
    .poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 120_000, interval: 500 })
    .toBe(200)
  expect((await query('select count(*)::int as count from role')).rows).toEqual([
    { count: expect.any(Number) },
  ])
  expect(lines.filter((line) => /ended 8 times/.test(line))).toEqual([])
})
