import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createServer } from 'node:tls'
import { createAuthority } from '@isotherm/engines/broker/certificates.testkit'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from './platform/log.ts'
import { createDatabase } from './platform/postgres/database.pg.ts'
import { childEnvironment, READY, readyPorts } from './testing/server-process.testkit.ts'

type Stores = Readonly<Record<'DATABASE_URL' | 'CLICKHOUSE_URL', string>>
let stores: Stores
let drop: () => Promise<unknown>

beforeAll(async () => {
  const [database, clickhouse] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  stores = { DATABASE_URL: database.url, CLICKHOUSE_URL: clickhouse.url }
  drop = () => Promise.all([database.drop(), clickhouse.drop()])
})
afterAll(() => drop())

/** Runs one of the server's programs and collects its output. */
function run(
  program: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  input = '',
) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...words], {
    env: {
      ...childEnvironment,
      ISOTHERM_MQTT_SECRET: 'secret-of-the-tests',
      ISOTHERM_PORT: '0',
      ISOTHERM_MQTT_PORT: '0',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  const ready = Promise.withResolvers<z.infer<typeof readyPorts>>()
  const take = (line: string): void => {
    lines.push(line)
    if (line.startsWith(READY)) ready.resolve(readyPorts.parse(JSON.parse(line.slice(READY.length))))
  }
  const outputs = [child.stdout, child.stderr].flatMap((stream) =>
    stream ? [createInterface({ input: stream }).on('line', take)] : [],
  )
  child.stdin?.end(input)
  // The child’s ’close’ event waits for both streams, but it is not emitted after disconnect().
  const exited = Promise.all([once(child, 'exit'), ...outputs.map((output) => once(output, 'close'))]).then(
    ([[code]]) => z.number().nullable().parse(code),
  )
  exited.then((code) => ready.reject(new Error(`ended with ${code}: ${lines.join('\n')}`)))
  // Not every test waits for it to be ready.
  ready.promise.catch(() => undefined)
  return { child, lines, ready: ready.promise, exited }
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s shuts the server down in order', async (signal) => {
  const { child, ready, exited } = run('main.ts', stores)
  const { port } = await ready
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  child.kill(signal)
  expect(await exited).toBe(0)
})

/** A collector of the log, the settings of a server that sends to it, and the text that it got. */
async function startCollector() {
  const authority = createAuthority('authority of the tests')
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-collector-'))
  const ca = join(folder, 'ca.pem')
  await writeFile(ca, authority.cert)
  let received = ''
  const collector = createServer(authority.issue('localhost'), (socket) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk
    })
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port: syslogPort } = z.object({ port: z.number() }).parse(collector.address())
  return {
    settings: { NODE_EXTRA_CA_CERTS: ca, ISOTHERM_LOG_FORWARD: `syslog+tls://localhost:${syslogPort}` },
    received: () => received,
    async stop() {
      collector.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('the log also goes to the collector, up to the last line', async () => {
  const { settings, received, stop } = await startCollector()
  const { child, ready, exited, lines } = run('main.ts', { ...stores, ...settings })
  try {
    const { port } = await ready
    await fetch(`http://127.0.0.1:${port}/usrCloud/user/getUser`, { method: 'POST' })
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    await expect.poll(received).toContain('"msg":"closing"')
    expect(received()).toContain('"path":"/usrCloud/user/getUser"')
    // The machine itself has them too.
    expect(lines.filter((line) => line.includes('"msg":"closing"'))).toHaveLength(1)
  } finally {
    child.kill('SIGKILL')
    await stop()
  }
})

test('the line of a start that failed goes to the collector too', async () => {
  const { settings, received, stop } = await startCollector()
  const unreachable = { ...stores, DATABASE_URL: 'postgres://me@127.0.0.1:1/x' }
  try {
    expect(await run('main.ts', { ...unreachable, ...settings }).exited).toBe(1)
    await expect.poll(received).toContain('"msg":"could not start"')
  } finally {
    await stop()
  }
})

test('the server ends when its parent is gone', async () => {
  const { child, ready, exited } = run('main.ts', stores)
  await ready
  child.disconnect()
  expect(await exited).toBe(0)
})

test.each([
  ['a missing store', { CLICKHOUSE_URL: 'http://127.0.0.1:1/x' }, 'DATABASE_URL is not set'],
  [
    'a demo on a public address',
    { ISOTHERM_MODE: 'demo', ISOTHERM_HOST: '0.0.0.0' },
    'ISOTHERM_HOST must be',
  ],
  ['a port that is none', { ISOTHERM_PORT: 'eighty' }, 'ISOTHERM_PORT'],
  [
    'a logo that is not there',
    { ISOTHERM_COMPANY_TITLE: 't', ISOTHERM_COMPANY_LOGO: 'missing.svg' },
    'ISOTHERM_COMPANY_LOGO cannot be read (ENOENT)',
  ],
  [
    'a frame for every site',
    { ISOTHERM_FRAME_ORIGINS: '*' },
    'ISOTHERM_FRAME_ORIGINS is not a list of origins',
  ],
])('%s stops the start with one line and exit code 1', async (_what, env, words) => {
  const isMissing = words.startsWith('DATABASE')
  const { lines, exited } = run('main.ts', { ...(isMissing ? {} : stores), ...env })
  expect(await exited).toBe(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(words)
})

test('an unreachable store ends the start with a line without the password', async () => {
  const { lines, exited } = run('main.ts', { ...stores, DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/x' })
  expect(await exited).toBe(1)
  expect(lines.at(-1)).toContain('127.0.0.1:1')
  expect(lines.join('\n')).not.toContain('hidden')
})

const createAdministrator = (account: string, password: string) =>
  run('admin-create.ts', stores, ['--account', account], `${password}\n`)

test('a pipe of several lines is no password', async () => {
  const { exited, lines } = run(
    'admin-create.ts',
    stores,
    ['--account', 'many'],
    'long enough 1\nlong enough 2\n',
  )
  expect([await exited, lines]).toEqual([
    1,
    ['admin: the pipe has more than one line; send the password only'],
  ])
})

test('the first administrator is created from a pipe, once', async () => {
  const first = createAdministrator('boss', 'warm 47 houses')
  expect([await first.exited, first.lines]).toEqual([0, ['Administrator "boss" created.']])
  const second = createAdministrator('boss', 'warm 48 houses')
  expect([await second.exited, second.lines]).toEqual([1, ['admin: the account "boss" exists already']])
})

test('a weak password is refused and no account is created', async () => {
  const { lines, exited } = createAdministrator('weak', 'short')
  expect([await exited, lines]).toEqual([1, ['admin: the password needs at least 10 characters']])
  const db = createDatabase({ databaseUrl: stores.DATABASE_URL }, createLog({ logLevel: 'silent' }))
  expect(await db.selectFrom('account').select('id').where('account', '=', 'weak').execute()).toEqual([])
  await db.destroy()
})
