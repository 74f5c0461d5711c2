import { once } from 'node:events'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { connectAsync } from 'mqtt'
import { afterEach, expect, test } from 'vitest'
import { createAwakeClock } from './awake-clock.ts'
import { type Broker, startBroker } from './broker.ts'
import { createAuthority } from './certificates.testkit.ts'
import { createPendingConnections, type PendingLimits } from './pending-connections.ts'

const authority = createAuthority('authority of the tests')
const { cert: certificate, key } = authority.issue('broker')
/** Addresses of this machine: a device, and strangers. Linux has all of 127.0.0.0/8. */
const DEVICE = '127.0.0.1'
const stranger = (nr: number): string => `127.0.1.${nr}`

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close()
})

async function start(pending?: PendingLimits) {
  const dropped: string[] = []
  const broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    tls: { port: 0, material: { certificate, key, revocations: [] } },
    pending,
    authenticate: (_client, password) => password === 'right',
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async () => {},
    onRefused(reason, detail) {
      if (reason === 'too-many-pending') dropped.push(detail)
    },
  })
  open.push(broker)
  return { broker, dropped }
}

/** Opens a socket that sends nothing, or only its handshake. */
async function openSilent(port: number, localAddress: string, isEncrypted = false): Promise<Socket> {
  const socket = connectSocket({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  open.push({ close: async () => socket.destroy() })
  await once(socket, 'connect')
  if (!isEncrypted) return socket.resume()
  const encrypted = connectTls({ socket, ca: authority.cert, host: '127.0.0.1' })
  encrypted.on('error', () => undefined)
  open.push({ close: async () => encrypted.destroy() })
  await once(encrypted, 'secureConnect')
  return encrypted.resume()
}

const openMany = (count: number, port: number, localAddress: string): Promise<readonly Socket[]> =>
  Promise.all(Array.from({ length: count }, () => openSilent(port, localAddress)))

let clients = 0
async function signIn({ port, tlsPort }: Broker, isEncrypted = true): Promise<string> {
  clients += 1
  const url = isEncrypted ? `mqtts://127.0.0.1:${tlsPort}` : `mqtt://127.0.0.1:${port}`
  const options = {
    clientId: `n${clients}`,
    username: 'n',
    password: 'right',
    reconnectPeriod: 0,
    ca: authority.cert,
  }
  try {
    const client = await connectAsync(url, options)
    client.on('error', () => undefined)
    open.push({ close: () => client.endAsync(true) })
    return 'in'
  } catch {
    return 'refused'
  }
}

const LATER: Pick<PendingLimits, 'graceMs'> = { graceMs: 3_600_000 }
const AT_ONCE: Pick<PendingLimits, 'graceMs'> = { graceMs: 0 }

test.each(['TLS', 'no TLS'])(
  'a stranger who opens hundreds of silent sockets to the port with %s shuts out no device',
  async (kind) => {
    const { broker, dropped } = await start({ max: 200, maxPerNetwork: 100, ...LATER })
    const port = kind === 'TLS' ? broker.tlsPort : broker.port
    await openMany(300, port, stranger(1))
    await expect.poll(() => dropped.length).toBe(200)
    expect(new Set(dropped)).toEqual(new Set([stranger(1)]))
    expect(broker.pendingConnections).toBe(100)
    expect(await signIn(broker, kind === 'TLS')).toBe('in')
  },
)

test('many strangers together are displaced by a device, the oldest first', async () => {
  const { broker, dropped } = await start({ max: 20, maxPerNetwork: 10, ...AT_ONCE })
  const sockets: Socket[] = []
  for (let nr = 1; nr <= 20; nr += 1) sockets.push(await openSilent(broker.tlsPort, stranger(nr)))
  await expect.poll(() => broker.pendingConnections).toBe(20)
  const [oldest] = sockets
  expect(await signIn(broker)).toBe('in')
  await expect.poll(() => oldest?.closed).toBe(true)
  expect(dropped).toEqual([stranger(1)])
  // The sign-in ends a moment after its answer.
  await expect.poll(() => broker.pendingConnections).toBe(19)
})

test('two strangers who hold all places, and open more, give a device one at once', async () => {
  const { broker, dropped } = await start({ max: 20, maxPerNetwork: 10, ...LATER })
  await openMany(10, broker.tlsPort, stranger(1))
  await openMany(10, broker.tlsPort, stranger(2))
  await expect.poll(() => broker.pendingConnections).toBe(20)
  expect(await signIn(broker)).toBe('in')
  expect(dropped).toEqual([stranger(1)])
})

test('silent sockets behind the address of a device are displaced by it, those of others are not', async () => {
  const { broker, dropped } = await start({ max: 20, maxPerNetwork: 2, ...AT_ONCE })
  await openSilent(broker.tlsPort, stranger(1))
  await openMany(2, broker.tlsPort, DEVICE)
  await expect.poll(() => broker.pendingConnections).toBe(3)
  expect(await signIn(broker)).toBe('in')
  expect(dropped).toEqual([DEVICE])
})

test('devices that return at once do not displace each other while they have their grace', async () => {
  const { broker, dropped } = await start({ max: 20, maxPerNetwork: 2, ...LATER })
  const first = await openMany(2, broker.tlsPort, DEVICE)
  await expect.poll(() => broker.pendingConnections).toBe(2)
  expect(await signIn(broker)).toBe('refused')
  expect(dropped).toEqual([DEVICE])
  expect(first.some(({ destroyed }) => destroyed)).toBe(false)
  first[0]?.destroy()
  await expect.poll(() => broker.pendingConnections).toBe(1)
  expect(await signIn(broker)).toBe('in')
})

test('time in which the process stands still is no wait: a device that signs in keeps its place', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({ close: async () => server.close() })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const accept = async (): Promise<Socket> => {
    const accepted = once(server, 'connection')
    await openSilent(port, DEVICE)
    const [socket] = await accepted
    open.push({ close: async () => socket.destroy() })
    return socket
  }
  let time = 0
  const clock = createAwakeClock(() => time)
  const pending = createPendingConnections({ max: 2, maxPerNetwork: 1, graceMs: 3_000 }, () => {}, clock)
  const first = await accept()
  expect(pending.admit(first)).toBe(true)
  time += 60_000
  expect(pending.admit(await accept())).toBe(false)
  expect(first.destroyed).toBe(false)
  // Awake, the clock is read again and again.
  for (let waited = 0; waited < 3_000; waited += 250) {
    time += 250
    clock.now()
  }
  expect(pending.admit(await accept())).toBe(true)
  expect(first.destroyed).toBe(true)
})

test('a handshake alone does not count as a sign-in; a sign-in and the end of a connection end its wait', async () => {
  const { broker } = await start({ max: 4, maxPerNetwork: 4, ...LATER })
  await openSilent(broker.tlsPort, DEVICE, true)
  expect(broker.pendingConnections).toBe(1)
  for (let nr = 0; nr < 6; nr += 1) expect(await signIn(broker, nr % 2 === 0)).toBe('in')
  await expect.poll(() => broker.pendingConnections).toBe(1)
  expect(broker.connectedClients).toBe(6)
  const wrong = { clientId: 'wrong', username: 'n', password: 'wrong', reconnectPeriod: 0 }
  await expect(connectAsync(`mqtt://127.0.0.1:${broker.port}`, wrong)).rejects.toMatchObject({ code: 5 })
  await expect.poll(() => broker.pendingConnections).toBe(1)
})
