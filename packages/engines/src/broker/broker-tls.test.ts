import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { connectAsync, type IClientOptions } from 'mqtt'
import { afterEach, expect, test } from 'vitest'
import { type Broker, type BrokerClient, type BrokerOptions, startBroker } from './broker.ts'
import { createAuthority, type TestCertificate } from './certificates.testkit.ts'
import { readDer } from './der.ts'

const trusted = createAuthority('authority of the tests')
const foreign = createAuthority('another authority')
const serverCertificate = trusted.issue('broker')

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close()
})

const toMaterial = ({ cert, key }: TestCertificate, revocations: readonly string[] = []) => ({
  certificate: cert,
  key,
  clientAuthorities: trusted.cert,
  revocations,
})

async function start(options: Partial<BrokerOptions> = {}) {
  const seen: BrokerClient[] = []
  const refusals: string[] = []
  const broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    tls: { port: 0, material: toMaterial(serverCertificate) },
    authenticate(client) {
      seen.push(client)
      return true
    },
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async () => {},
    onRefused: (reason, detail) => refusals.push(`${reason} ${detail}`),
    ...options,
  })
  open.push(broker)
  return { broker, seen, refusals }
}

async function connect({ tlsPort }: Broker, options: IClientOptions = {}) {
  const client = await connectAsync(`mqtts://127.0.0.1:${tlsPort}`, {
    clientId: 'n1',
    reconnectPeriod: 0,
    ca: trusted.cert,
    ...options,
  })
  client.on('error', () => undefined)
  open.push({ close: () => client.endAsync(true) })
  return client
}

const tryConnect = (broker: Broker) =>
  connect(broker).then(
    () => 'in',
    () => 'refused',
  )

/** Opens a TLS connection without MQTT. */
async function shake({ tlsPort }: Broker, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: tlsPort, ca: trusted.cert, ...options })
  open.push({ close: async () => socket.destroy() })
  await once(socket, 'secureConnect')
  return socket
}

const HOUR_MS = 3_600_000
const late = { from: Date.now() - 2 * HOUR_MS, to: Date.now() - HOUR_MS }
const revoked = trusted.issue('revoked')
const outdated = trusted.revoke([], Date.now() - 60_000)

test.each<[string, TestCertificate | undefined, readonly string[], object | undefined]>([
  ['none', undefined, [], undefined],
  ['a good one', trusted.issue('a/1'), [], { name: 'a/1', fault: undefined }],
  ['one with two names', trusted.issue(['a/1', 'a/2']), [], { name: undefined, fault: undefined }],
  ['one of another authority', foreign.issue('a/1'), [], { fault: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
  ['one that a client signed itself', foreign, [], { fault: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['an expired one', trusted.issue('a/1', late), [], { fault: 'CERT_HAS_EXPIRED' }],
  ['a revoked one', revoked, [trusted.revoke([revoked.serialNumber])], { fault: 'CERT_REVOKED' }],
  ['one beside the revoked one', trusted.issue('a/1'), [trusted.revoke([7])], { fault: undefined }],
  ['one with an outdated list', trusted.issue('a/1'), [outdated], { fault: 'CRL_HAS_EXPIRED' }],
])('a client presents %s, and the broker knows what it is worth', async (_, own, revocations, expected) => {
  const material = toMaterial(serverCertificate, revocations)
  const { broker, seen } = await start({ tls: { port: 0, material } })
  await connect(broker, own && { cert: own.cert, key: own.key })
  expect(seen).toMatchObject([{ isEncrypted: true }])
  if (expected === undefined) expect(seen[0]?.certificate).toBeUndefined()
  else expect(seen[0]?.certificate).toMatchObject(expected)
})

test('new certificates hold for new connections, and unusable ones change nothing', async () => {
  const { broker } = await start()
  const before = await connect(broker)
  const renewed = foreign.issue('broker')
  const mixed = { ...toMaterial(renewed), key: serverCertificate.key }
  expect(() => broker.setTls(mixed)).toThrow(/certificates of the MQTT broker cannot be used \(.*mismatch/)
  await connect(broker, { clientId: 'n2' })
  broker.setTls(toMaterial(renewed))
  await expect(connect(broker, { clientId: 'n3' })).rejects.toThrow()
  await connect(broker, { clientId: 'n3', ca: foreign.cert })
  expect(before.connected).toBe(true)
})

test('a connection whose handshake began before a change of the certificates is closed', async () => {
  const { broker, seen } = await start()
  const first = connectSocket(broker.tlsPort, '127.0.0.1')
  await once(first, 'connect')
  // The broker has accepted the first one before it accepts the second one.
  await connect(broker, { clientId: 'n2' })
  broker.setTls(toMaterial(serverCertificate))
  const late = connectTls({ socket: first, ca: trusted.cert, host: '127.0.0.1' })
  open.push({ close: async () => late.destroy() })
  late.on('error', () => undefined)
  // A CONNECT of the client n3.
  late.write(Buffer.from('100e00044d5154540402003c00026e33', 'hex'))
  await once(late.resume(), 'close')
  expect(seen).toHaveLength(1)
  await connect(broker)
})

test('a resumed session would skip the check of the certificate, so there is none', async () => {
  const { broker } = await start()
  const own = trusted.issue('a/1')
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const options = { cert: own.cert, key: own.key, minVersion: version, maxVersion: version }
    const sessions: Buffer[] = []
    const first = connectTls({ host: '127.0.0.1', port: broker.tlsPort, ca: trusted.cert, ...options })
    first.on('session', (session) => sessions.push(session))
    await once(first, 'secureConnect')
    const session = sessions[0] ?? first.getSession()
    first.destroy()
    const again = await shake(broker, { ...options, ...(session ? { session } : {}) })
    expect(again.isSessionReused()).toBe(false)
  }
})

test('a version of TLS before 1.2 is refused', async () => {
  const { broker, refusals } = await start()
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await expect(shake(broker, old)).rejects.toThrow()
  await expect.poll(() => refusals).toEqual([expect.stringMatching(/^handshake-failed .*(VERSION|PROTOCOL)/)])
})

test('clients that send garbage, or nothing, hinder nobody', async () => {
  const { broker, refusals } = await start()
  const port = broker.tlsPort
  const silent = connectSocket(port, '127.0.0.1')
  open.push({ close: async () => silent.destroy() })
  const garbage = connectSocket(port, '127.0.0.1', () => garbage.write('CONNECT without TLS\r\n\r\n'))
  garbage.on('error', () => undefined)
  await once(garbage.resume(), 'close')
  await expect
    .poll(() => refusals)
    .toEqual([expect.stringMatching(/^handshake-failed ERR_SSL.* of 127\.0\.0\.1$/)])
  expect((await connect(broker)).connected).toBe(true)
})

test('a client that does not complete its handshake is disconnected', async () => {
  const material = toMaterial(serverCertificate)
  const { broker, refusals } = await start({ tls: { port: 0, material, handshakeMs: 50 } })
  const silent = connectSocket(broker.tlsPort, '127.0.0.1')
  await once(silent.resume(), 'close')
  expect(refusals).toEqual(['handshake-failed ERR_TLS_HANDSHAKE_TIMEOUT of 127.0.0.1'])
})

/** The certificate with another form of a length inside, which OpenSSL reads and DER does not allow. */
function toOtherForm({ cert, key }: TestCertificate, form: 'indefinite' | 'long') {
  const der = Buffer.from(cert.replaceAll(/-----[^-]+-----/g, ''), 'base64')
  const [whole] = readDer(der)
  const [content, ...behind] = readDer(whole?.content ?? der)
  const body = content?.content ?? der
  const long = [Buffer.from([0x30, 0x85, 0, 0, 0, body.length >> 8, body.length & 0xff]), body]
  const indefinite = [Buffer.from([0x30, 0x80]), body, Buffer.from([0, 0])]
  const inner = Buffer.concat([
    ...(form === 'long' ? long : indefinite),
    ...behind.map((element) => element.whole),
  ])
  const outer = Buffer.concat([Buffer.from([0x30, 0x82, inner.length >> 8, inner.length & 0xff]), inner])
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${outer.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key,
  }
}

test.each(['indefinite', 'long'] as const)(
  'a certificate with an %s length is not trusted, and does not end the broker',
  async (form) => {
    const { broker, seen } = await start()
    await connect(broker, toOtherForm(trusted.issue('a/1'), form))
    expect(seen[0]?.certificate).toMatchObject({ fault: 'CERT_SIGNATURE_FAILURE' })
  },
)

test('the limit of connections counts both ports, and those whose handshake is not over', async () => {
  const { broker, refusals } = await start({ maxConnections: 2 })
  const silent = connectSocket(broker.tlsPort, '127.0.0.1')
  await once(silent, 'connect')
  const plain = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId: 'n2', reconnectPeriod: 0 })
  open.push({ close: () => plain.endAsync(true) })
  await expect(connect(broker)).rejects.toThrow()
  expect(refusals).toEqual(['too-many-connections 127.0.0.1'])
  silent.destroy()
  // The broker sees the end of the silent one a moment later.
  await expect.poll(() => tryConnect(broker)).toBe('in')
})

test('a broker may have the port with TLS only, and disconnects the clients that a condition names', async () => {
  const { broker } = await start({ port: undefined })
  expect(broker.port).toBe(0)
  const [one, two] = [trusted.issue('a/1'), trusted.issue('a/2')]
  const first = await connect(broker, { clientId: 'n1', cert: one.cert, key: one.key })
  const second = await connect(broker, { clientId: 'n2', cert: two.cert, key: two.key })
  const serial = one.serialNumber.toString(16).toUpperCase()
  const closed = new Promise<void>((resolve) => first.once('close', () => resolve()))
  broker.disconnectWhere(({ certificate }) => certificate?.serialNumber === serial)
  await closed
  await second.publishAsync('up', 'x', { qos: 1 })
  expect(second.connected).toBe(true)
})

test('unusable certificates refuse the start', async () => {
  const material = { ...toMaterial(serverCertificate), key: foreign.key }
  await expect(start({ tls: { port: 0, material } })).rejects.toThrow(/certificates of the MQTT broker/)
})
