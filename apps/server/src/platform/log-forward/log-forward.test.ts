import { once } from 'node:events'
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { createAuthority } from '@isotherm/engines/broker/certificates.testkit'
import { afterEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createLogForward, type LogForwardOptions } from './log-forward.ts'

const authority = createAuthority('authority of the tests')
const material = authority.issue('localhost')

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A collector that stores the messages it gets. */
async function startCollector(port = 0) {
  const sockets = new Set<TLSSocket>()
  let text = ''
  const server: Server = createServer(material, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
  })
  server.on('tlsClientError', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  open.push(stop)
  const address = server.address() as AddressInfo
  /** The messages so far, cut by their lengths. */
  function messages(): readonly string[] {
    const found: string[] = []
    for (let rest = text; rest !== ''; ) {
      const [length = ''] = rest.split(' ', 1)
      const end = length.length + 1 + Number(length)
      if (rest.length < end) break
      found.push(Buffer.from(rest.slice(length.length + 1, end), 'latin1').toString('utf8'))
      rest = rest.slice(end)
    }
    return found
  }
  return { port: address.port, stop, messages, sockets }
}

function forwardTo(port: number, given: Partial<LogForwardOptions> = {}) {
  const changes: string[] = []
  const delays: number[] = []
  const clock: Clock = {
    ...systemClock,
    setTimeout(task, delayMs) {
      delays.push(delayMs)
      return systemClock.setTimeout(task, delayMs)
    },
  }
  const forward = createLogForward({
    url: `syslog+tls://localhost:${port}`,
    clock,
    firstRetryMs: 10,
    settleMs: 5,
    onChange: (text) => void changes.push(text),
    ca: authority.cert,
    ...given,
  })
  open.push(() => forward.close())
  return { forward, changes, delays }
}

test('each line arrives as one message of syslog with its severity, and without secrets', async () => {
  const { port, messages } = await startCollector()
  const { forward } = forwardTo(port)
  const log = createLog({ logLevel: 'info' }, forward)
  log.info({ account: '值班员', path: '/usrCloud/user/login', token: 'hush' }, 'call')
  log.error({ err: new Error('line 1\nline 2') }, 'a call failed')
  await expect.poll(() => messages().length).toBe(2)
  const [first = '', second = ''] = messages()
  expect(first).toMatch(/^<134>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ isotherm \d+ - - \{/)
  expect(JSON.parse(first.slice(first.indexOf('{')))).toMatchObject({
    account: '值班员',
    token: '[secret]',
    msg: 'call',
  })
  expect(second).toMatch(/^<131>1 /)
})

test('a collector with a certificate of an unknown authority gets nothing', async () => {
  const { port, messages, sockets } = await startCollector()
  const { forward, changes } = forwardTo(port, { ca: createAuthority('another authority').cert })
  forward.write('{"level":"info"}')
  await expect.poll(() => changes.length).toBe(1)
  expect(changes[0]).toContain('away')
  expect(messages()).toEqual([])
  for (const socket of sockets) socket.destroy()
})

test('lines wait while the collector is away, the oldest are dropped, and both its end and its return are said once', async () => {
  const collector = await startCollector()
  const { forward, changes } = forwardTo(collector.port, { maxWaitingBytes: 1_000 })
  forward.write('{"level":"info","nr":"first"}')
  await expect.poll(() => collector.messages().length).toBe(1)
  await collector.stop()
  await expect.poll(() => changes.length).toBe(1)
  for (let nr = 0; nr < 50; nr += 1) forward.write(`{"level":"info","nr":${nr}}`)
  const again = await startCollector(collector.port)
  await expect.poll(() => again.messages().at(-1)).toContain('"nr":49}')
  expect(again.messages().length).toBeLessThan(50)
  expect(changes).toEqual([
    expect.stringContaining('away'),
    `the collector of the log is back; ${50 - again.messages().length} lines were dropped`,
  ])
})

test('what waits is sent before the end', async () => {
  const { port, messages } = await startCollector()
  const { forward } = forwardTo(port)
  forward.write('{"level":"info","nr":"before"}')
  await expect.poll(() => messages().length).toBe(1)
  for (let nr = 0; nr < 1_000; nr += 1) forward.write(`{"level":"info","nr":${nr}}`)
  await forward.close()
  await expect.poll(() => messages().length).toBe(1_001)
})

test('a silent collector is away, and tried again', async () => {
  const sockets = new Set<Socket>()
  const silent = createPlainServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { changes } = forwardTo((silent.address() as AddressInfo).port, { handshakeMs: 50 })
  await expect.poll(() => sockets.size).toBeGreaterThan(1)
  expect(changes).toEqual([expect.stringContaining('away (no TLS handshake within 50 ms)')])
})

test('a collector that closes after the handshake stays away, is tried ever more rarely, and loses no line', async () => {
  const opened: TLSSocket[] = []
  const closing = createServer(material, (socket) => {
    opened.push(socket)
    socket.on('error', () => undefined)
    socket.destroy()
  })
  closing.on('tlsClientError', () => undefined)
  closing.listen(0, '127.0.0.1')
  await once(closing, 'listening')
  const { port } = closing.address() as AddressInfo
  const { forward, changes, delays } = forwardTo(port, { settleMs: 1_000 })
  for (let nr = 0; nr < 5; nr += 1) forward.write(`{"level":"info","nr":${nr}}`)
  await expect.poll(() => opened.length).toBeGreaterThan(3)
  expect(delays).toEqual(expect.arrayContaining([10, 20, 40]))
  expect(changes).toEqual([expect.stringContaining('away')])
  closing.close()
  await once(closing, 'close')
  const again = await startCollector(port)
  await expect.poll(() => again.messages().length, { timeout: 10_000 }).toBe(5)
  expect(changes.slice(1)).toEqual(['the collector of the log is back; 0 lines were dropped'])
})

test('lines that a connected collector takes too slowly are dropped and counted', async () => {
  const { port, messages } = await startCollector()
  const { forward, changes } = forwardTo(port, { maxWaitingBytes: 1_000 })
  forward.write('{"level":"info","nr":"first"}')
  await expect.poll(() => messages().length).toBe(1)
  for (let nr = 0; nr < 1_000; nr += 1) forward.write(`{"level":"info","nr":${nr}}`)
  await expect
    .poll(() => changes)
    .toEqual([
      expect.stringContaining('away (it takes lines too slowly)'),
      expect.stringMatching(/back; [1-9]\d* lines were dropped/),
    ])
})
