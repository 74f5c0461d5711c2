import { createAuthority, type TestCertificate } from '@isotherm/engines/broker/certificates.testkit'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestClock, createTestConfig } from '../../../testing/core.testkit.ts'
import { createLog } from '../../log.ts'
import type { BrokerPort, Refusal } from '../broker-port.ts'
import { createEmbeddedBroker } from '../embedded.mqtt.ts'
import { type GatewayAccess, toGatewayPassword } from '../gateway-access.ts'
import { createTlsFolder, type TlsFolder } from './tls-folder.testkit.ts'

const foreign = createAuthority('authority of somebody')
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

let folder: TlsFolder
const closers: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = createTlsFolder()
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  folder.remove()
})

interface Started {
  readonly broker: BrokerPort
  readonly refusals: Refusal[]
  readonly clock: ReturnType<typeof createTestClock>
  readonly passwordsUsed: string[]
  readonly secret: string
  /** What the server logs as errors. */
  readonly errors: readonly (readonly unknown[])[]
  /** And as information: the renewals of the files. */
  readonly infos: readonly (readonly unknown[])[]
}

async function start(
  settings: Readonly<Record<string, string>> = {},
  states: Readonly<Record<string, GatewayAccess['state']>> = {},
): Promise<Started> {
  const { mqtt } = createTestConfig({ ...folder.settings, ISOTHERM_MODE: 'production', ...settings })
  const clock = createTestClock(Date.now())
  const log = createLog({ logLevel: 'silent' })
  const { calls: errors } = vi.spyOn(log, 'error').mock
  const { calls: infos } = vi.spyOn(log, 'info').mock
  const broker = createEmbeddedBroker(mqtt, clock, log)
  const [refusals, passwordsUsed]: [Refusal[], string[]] = [[], []]
  await broker.start({
    findAccess: async ({ gateway }) => ({
      state: states[gateway] ?? 'in-use',
      version: 0,
      hasConcentrator: gateway === 'behind',
    }),
    redeemToken: async () => 'wrong-token',
    onPasswordUsed: ({ gateway }) => passwordsUsed.push(gateway),
    store: async () => undefined,
    onDelivered: () => undefined,
    onRefused: (refusal) => refusals.push(refusal),
    onReplicaMessage: () => undefined,
    onReplicaGap: () => undefined,
  })
  closers.push(() => broker.close())
  return { broker, refusals, clock, passwordsUsed, secret: mqtt.secret, errors, infos }
}

async function connect({ broker }: Started, options: IClientOptions): Promise<MqttClient> {
  const client = await connectAsync(`mqtts://127.0.0.1:${broker.tlsPort}`, {
    clientId: options.username ?? '',
    reconnectPeriod: 0,
    ca: folder.authority.cert,
    ...options,
  })
  client.on('error', () => undefined)
  closers.push(() => client.endAsync(true))
  return client
}

const present = ({ cert, key }: TestCertificate) => ({ cert, key })
const issue = (...given: Parameters<TlsFolder['authority']['issue']>) => folder.authority.issue(...given)
const passwordOf = ({ secret }: Started, gateway: string) =>
  toGatewayPassword(secret, { tenant: 'demo', gateway })
const expired = { from: Date.now() - 2 * HOUR_MS, to: Date.now() - HOUR_MS }

test('a gateway signs in with its certificate without a password, and uses its own topics only', async () => {
  const started = await start({ ISOTHERM_MQTT_CLIENT_CERTIFICATES: 'required' })
  const client = await connect(started, { username: 'demo/n1', ...present(issue('demo/n1')) })
  await client.publishAsync('hx/v1/demo/n1/up/telemetry', '{}', { qos: 1 })
  expect(started.broker.connections).toEqual({ signedIn: 1, pending: 0 })
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.publish('hx/v1/demo/n2/up/telemetry', '{}', { qos: 1 }, () => undefined)
  await closed
  expect(started.refusals).toMatchObject([{ reason: 'publish-denied', gateway: 'n1' }])
  expect(started.passwordsUsed).toEqual([])
})

test.each<[string, string, () => TestCertificate | undefined]>([
  ['no-certificate', 'no certificate', () => undefined],
  ['untrusted-certificate', 'one of another authority', () => foreign.issue('demo/n1')],
  ['untrusted-certificate', 'one for later', () => issue('demo/n1', { from: Date.now() + HOUR_MS })],
  ['expired-certificate', 'an expired one', () => issue('demo/n1', expired)],
  ['wrong-certificate', 'that of another gateway', () => issue('demo/n2')],
  ['wrong-certificate', 'that of another company', () => issue('other/n1')],
  ['wrong-certificate', 'one with the serial only', () => issue('n1')],
  ['wrong-certificate', 'one with two names', () => issue(['demo/n1', 'demo/n2'])],
  ['wrong-certificate', 'one with another spelling', () => issue('DEMO/n1')],
])(
  '%s: a gateway with %s is refused with CONNACK 5, also with the right password',
  async (reason, _, make) => {
    const started = await start({ ISOTHERM_MQTT_CLIENT_CERTIFICATES: 'required' })
    const certificate = make()
    const login = { username: 'demo/n1', password: passwordOf(started, 'n1') }
    const signIn = connect(started, { ...login, ...(certificate && present(certificate)) })
    await expect(signIn).rejects.toMatchObject({ code: 5 })
    expect(started.refusals).toMatchObject([
      { reason: 'not-authenticated', detail: reason, tenant: 'demo', gateway: 'n1', address: '127.0.0.1' },
    ])
  },
)

test('without a certificate the password is enough, unless a certificate is required', async () => {
  const started = await start()
  await connect(started, { username: 'demo/n1', password: passwordOf(started, 'n1') })
  expect(started.passwordsUsed).toEqual(['n1'])
  await expect(connect(started, { username: 'demo/n1', password: 'guess' })).rejects.toMatchObject({
    code: 5,
  })
  // A presented certificate must hold even so.
  const stolen = { ...present(issue('demo/n2')), password: passwordOf(started, 'n1') }
  await expect(connect(started, { username: 'demo/n1', ...stolen })).rejects.toMatchObject({ code: 5 })
  expect(started.refusals.map(({ detail }) => detail)).toEqual(['wrong-password', 'wrong-certificate'])
})

test('a certificate does not let in who is retired, revoked, unregistered or behind a concentrator', async () => {
  const started = await start({}, { old: 'retired', lost: 'revoked', new: 'unknown' })
  const signIn = (gateway: string, password?: string) =>
    connect(started, {
      username: `demo/${gateway}`,
      ...present(issue(`demo/${gateway}`)),
      ...(password ? { password } : {}),
    })
  for (const gateway of ['old', 'lost', 'new', 'behind']) {
    await expect(signIn(gateway)).rejects.toMatchObject({ code: 5 })
  }
  expect(started.refusals.map(({ detail }) => detail)).toEqual([
    'retired',
    'revoked',
    'unknown-serial',
    'wrong-password',
  ])
  // As without a certificate, its password lets an unregistered one in, and its messages are quarantined.
  await signIn('new', passwordOf(started, 'new'))
})

test('a right password beside a certificate counts as used, for the one-time tokens', async () => {
  const started = await start()
  const own = present(issue('demo/n1'))
  await connect(started, { username: 'demo/n1', ...own, password: passwordOf(started, 'n1') })
  expect(started.passwordsUsed).toEqual(['n1'])
})

test('a renewed certificate on disk holds without a restart, and half renewed files change nothing', async () => {
  const started = await start()
  const { clock, errors } = started
  const signIn = (ca: string, username: string) =>
    connect(started, { username, password: passwordOf(started, username.slice(5)), ca })
  const stays = await signIn(folder.authority.cert, 'demo/n1')
  const renewed = foreign.issue('broker')
  folder.write('server.pem', renewed.cert)
  clock.advance(MINUTE_MS)
  await expect.poll(() => errors).toHaveLength(1)
  expect(errors[0]?.at(-1)).toMatch(/the old ones stay: ISOTHERM_MQTT_TLS_KEY does not belong/)
  await signIn(folder.authority.cert, 'demo/n2')
  folder.write('server.key', renewed.key)
  await expect
    .poll(() => {
      clock.advance(MINUTE_MS)
      return signIn(foreign.cert, 'demo/n3').then(
        () => 'in',
        () => 'out',
      )
    })
    .toBe('in')
  await expect(signIn(folder.authority.cert, 'demo/n4')).rejects.toThrow()
  await stays.publishAsync('hx/v1/demo/n1/up/telemetry', '{}', { qos: 1 })
})

test('a renewed revocation list ends the connections of the certificates in it only', async () => {
  const [lost, good] = [issue('demo/n1'), issue('demo/n2')]
  folder.write('revoked.pem', folder.authority.revoke([7]))
  const started = await start({ ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('revoked.pem') })
  const client = await connect(started, { username: 'demo/n1', ...present(lost) })
  const other = await connect(started, { username: 'demo/n2', ...present(good) })
  const plain = await connect(started, { username: 'demo/n3', password: passwordOf(started, 'n3') })
  const stays = await connect(started, { username: 'demo/n4', ...present(issue('demo/n4')) })
  const ends = vi.fn()
  stays.on('close', ends)
  // The other authority has revoked its certificate with the same serial number, so the good one is judged once more.
  const lists = [folder.authority.revoke([7, lost.serialNumber]), foreign.revoke([good.serialNumber])]
  folder.write('revoked.pem', lists.join(''))
  await expect
    .poll(() => {
      started.clock.advance(MINUTE_MS)
      return [client.connected, other.connected]
    })
    .toEqual([false, false])
  await expect(connect(started, { username: 'demo/n1', ...present(lost) })).rejects.toMatchObject({ code: 5 })
  expect(started.refusals).toMatchObject([{ detail: 'revoked-certificate' }])
  await connect(started, { username: 'demo/n2', ...present(good) })
  for (const [client, gateway] of [
    [plain, 'n3'],
    [stays, 'n4'],
  ] as const)
    await client.publishAsync(`hx/v1/demo/${gateway}/up/telemetry`, '{}', { qos: 1 })
  // The same list with a later end, as an authority issues it each week, disturbs nobody.
  folder.write(
    'revoked.pem',
    [folder.authority.revoke([7, lost.serialNumber], Date.now() + 9 * HOUR_MS), lists[1]].join(''),
  )
  await expect
    .poll(() => {
      started.clock.advance(MINUTE_MS)
      return started.infos.length
    })
    .toBe(2)
  await stays.publishAsync('hx/v1/demo/n4/up/telemetry', '{}', { qos: 1 })
  expect(ends).not.toHaveBeenCalled()
})

test('a revocation of the authority itself ends the connections of all its certificates', async () => {
  folder.write('revoked.pem', folder.authority.revoke([7]))
  const started = await start({ ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('revoked.pem') })
  const client = await connect(started, { username: 'demo/n1', ...present(issue('demo/n1')) })
  folder.write('revoked.pem', folder.authority.revoke([7, folder.authority.serialNumber]))
  await expect
    .poll(() => {
      started.clock.advance(MINUTE_MS)
      return client.connected
    })
    .toBe(false)
})

test('with an outdated revocation list every certificate is refused, with a reason that names the server as the cause', async () => {
  folder.write('revoked.pem', folder.authority.revoke([], Date.now() - MINUTE_MS))
  const started = await start({ ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('revoked.pem') })
  const own = present(issue('demo/n1'))
  await expect(connect(started, { username: 'demo/n1', ...own })).rejects.toMatchObject({ code: 5 })
  expect(started.refusals).toMatchObject([{ detail: 'unchecked-certificate' }])
})

test('without a list for its authority a certificate is the fault of the server, and that of a stranger is not', async () => {
  folder.write('revoked.pem', foreign.revoke([]))
  const started = await start({ ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('revoked.pem') })
  // The authority named `stranger` presents the certificate that it signed itself.
  for (const own of [issue('demo/n1'), createAuthority('stranger'), foreign.issue('demo/n1')]) {
    const signIn = connect(started, { username: 'demo/n1', ...present(own) })
    await expect(signIn).rejects.toMatchObject({ code: 5 })
  }
  expect(started.refusals.map(({ detail }) => detail)).toEqual([
    'unchecked-certificate',
    'untrusted-certificate',
    'untrusted-certificate',
  ])
})

test('a connection ends when its certificate does, and when its authority is no longer one of the server', async () => {
  const started = await start()
  const { clock } = started
  const short = issue('demo/n1', { to: Date.now() + 10 * MINUTE_MS })
  const client = await connect(started, { username: 'demo/n1', ...present(short) })
  const other = await connect(started, { username: 'demo/n2', ...present(issue('demo/n2')) })
  const plain = await connect(started, { username: 'demo/n3', password: passwordOf(started, 'n3') })
  clock.advance(11 * MINUTE_MS)
  await expect.poll(() => client.connected).toBe(false)
  await other.publishAsync('hx/v1/demo/n2/up/telemetry', '{}', { qos: 1 })
  folder.write('clients.pem', foreign.cert)
  await expect
    .poll(() => {
      clock.advance(MINUTE_MS)
      return other.connected
    })
    .toBe(false)
  const again = connect(started, { username: 'demo/n2', ...present(issue('demo/n2')) })
  await expect(again).rejects.toMatchObject({ code: 5 })
  await plain.publishAsync('hx/v1/demo/n3/up/telemetry', '{}', { qos: 1 })
})

test('the broker reports how long its certificates hold, also after a renewal', async () => {
  const seconds = (at: number) => Math.floor(at / 1_000) * 1_000
  const [list, to] = [seconds(Date.now() + HOUR_MS), seconds(Date.now() + 40 * HOUR_MS)]
  folder.write('revoked.pem', folder.authority.revoke([], list))
  const { broker, clock } = await start({ ISOTHERM_MQTT_CLIENT_CRL: folder.pathOf('revoked.pem') })
  expect(broker.tls).toMatchObject({ listEndsAt: list, isCertificateRequired: false })
  folder.writeServer(folder.authority.issue('broker', { to }))
  await expect
    .poll(() => {
      clock.advance(MINUTE_MS)
      return broker.tls?.certificateEndsAt
    })
    .toBe(to)
})

test('the port without TLS can be closed', async () => {
  const { broker } = await start({ ISOTHERM_MQTT_PLAIN: '0' })
  expect([broker.port, typeof broker.tlsPort]).toEqual([undefined, 'number'])
})
