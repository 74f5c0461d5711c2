import { endpoints } from '@isotherm/contract/endpoints/all'
import {
  gatewayLogin,
  getGatewayLogin,
  getGatewayRefusals,
  makeConnectionToken,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { loginMessage } from '@isotherm/contract/mqtt'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTlsFolder, type TlsFolder } from '../../../platform/mqtt/tls/tls-folder.testkit.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { createRefusals } from './refusals.ts'

let server: TestServer
let folder: TlsFolder
let keeper = ''

beforeAll(async () => {
  folder = createTlsFolder()
  server = await startTestServer({ settings: folder.settings })
  await server.createAccount('keeper', ['pd-datadevmanager'], ['p'])
  await server.createAccount('stranger', ['pd-datadevmanager'], ['s2'])
  keeper = (await server.logIn('keeper'))['ht-api']
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

/** Connects with a certificate; by default one that was issued an hour ago. */
const connect = (
  serial: string,
  { password, from = Date.now() - 3_600_000 }: { readonly password?: string; readonly from?: number } = {},
): Promise<MqttClient> => {
  const { cert, key } = folder.authority.issue(`demo/${serial}`, { from })
  return connectAsync(`mqtts://127.0.0.1:${server.mqttTlsPort}`, {
    clientId: `demo/${serial}`,
    username: `demo/${serial}`,
    ...(password === undefined ? {} : { password }),
    reconnectPeriod: 0,
    ca: folder.authority.cert,
    cert,
    key,
  })
}

const tryConnect = (serial: string, from?: number) =>
  connect(serial, from === undefined ? {} : { from }).then(
    (client) => client.endAsync().then(() => 'in'),
    () => 'refused',
  )

async function itemOf(serial: string) {
  const device = server.db.selectFrom('device').select(['id', 'version']).where('serial', '=', serial)
  return device.executeTakeFirstOrThrow()
}

let added = 0
/** Adds a concentrator, another one for each attempt of a test, and waits until it may sign in. Returns its serial. */
async function addConcentrator(): Promise<string> {
  added += 1
  const serial = `C-own-${added}`
  await register(serial)
  await expect.poll(() => tryConnect(serial)).toBe('in')
  return serial
}

async function register(imei: string): Promise<void> {
  const models = server.db.selectFrom('device_model').select('id').where('kind', '=', 'concentrator')
  const { id: modelId } = await models.executeTakeFirstOrThrow()
  const node = await server.nodeKey('b2')
  const device = { kind: 'concentrator', imei, name: imei, modelId, node, periodS: 900 }
  expect((await server.call(endpoints.insertDev, device, keeper)).code).toBeUndefined()
}

const untilClosed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', resolve))

async function listReasons(account: string, serial: string) {
  const { 'ht-api': token } = await server.logIn(account)
  const { data } = await server.call(endpoints.getGatewayRefusals, {}, token)
  const { datalist } = getGatewayRefusals.output.parse(data)
  return datalist.flatMap((refusal) => (refusal.serial === serial ? [refusal.reason] : [])).toSorted()
}

test('a retired gateway is disconnected and refused in spite of its certificate', async () => {
  const serial = await addConcentrator()
  const client = await connect(serial)
  const closed = untilClosed(client)
  const retiring = { ...(await itemOf(serial)), use: 'retired' }
  expect((await server.call(endpoints.updateDev, retiring, keeper)).code).toBeUndefined()
  await closed
  await expect.poll(() => tryConnect(serial)).toBe('refused')
  await expect.poll(() => listReasons('keeper', serial)).toContain('retired')
})

test('a removed gateway is disconnected and refused in spite of its certificate', async () => {
  const serial = await addConcentrator()
  const client = await connect(serial)
  const closed = untilClosed(client)
  const items = [await itemOf(serial)]
  expect((await server.call(endpoints.deleteDev, { items }, keeper)).code).toBeUndefined()
  await closed
  await expect.poll(() => tryConnect(serial)).toBe('refused')
})

test('after a revocation only certificates that are issued later let the gateway in, also once it has a new password', async () => {
  const serial = await addConcentrator()
  const client = await connect(serial)
  const closed = untilClosed(client)
  await server.call(endpoints.revokeGatewayLogin, await itemOf(serial), keeper)
  await closed
  await expect.poll(() => tryConnect(serial)).toBe('refused')
  const { data } = await server.call(endpoints.rotateGatewayLogin, await itemOf(serial), keeper)
  // The page says at which port the gateway finds TLS.
  expect(gatewayLogin.parse(data)).toMatchObject({ port: server.mqttPort, tlsPort: server.mqttTlsPort })
  // Instants in certificates are whole seconds.
  await expect.poll(() => tryConnect(serial, Date.now() + 1)).toBe('in')
  expect(await tryConnect(serial)).toBe('refused')
  await expect.poll(() => listReasons('keeper', serial)).toContain('revoked-certificate')
})

test('what a revocation ended stays ended when the device is removed and comes back', async () => {
  const serial = await addConcentrator()
  await server.call(endpoints.revokeGatewayLogin, await itemOf(serial), keeper)
  const items = [await itemOf(serial)]
  expect((await server.call(endpoints.deleteDev, { items }, keeper)).code).toBeUndefined()
  await register(serial)
  await expect.poll(() => tryConnect(serial, Date.now() + 1)).toBe('in')
  expect(await tryConnect(serial)).toBe('refused')
})

test('a certificate stands for no device that reports through a concentrator', async () => {
  const devices = server.db.selectFrom('device').select('serial').where('concentrator_id', 'is not', null)
  const { serial } = await devices.where('retired_at', 'is', null).executeTakeFirstOrThrow()
  expect(await tryConnect(serial)).toBe('refused')
})

test('a refusal because of a certificate is listed with its reason for who may see the gateway', async () => {
  const { cert, key } = folder.authority.issue('demo/C-b3')
  const login = { clientId: 'demo/C-b2', username: 'demo/C-b2', reconnectPeriod: 0 }
  const url = `mqtts://127.0.0.1:${server.mqttTlsPort}`
  const signIn = connectAsync(url, { ...login, ca: folder.authority.cert, cert, key })
  await expect(signIn).rejects.toMatchObject({ code: 5 })
  await expect.poll(() => listReasons('keeper', 'C-b2')).toContain('wrong-certificate')
  expect(await listReasons('stranger', 'C-b2')).toEqual([])
})

test('a one-time token works beside a certificate', async () => {
  const id = await server.deviceId('C-b3')
  const state = await server.call(endpoints.getGatewayLogin, { id }, keeper)
  expect(getGatewayLogin.output.parse(state.data).takesTokens).toBe(true)
  const { data } = await server.call(endpoints.makeConnectionToken, { id }, keeper)
  const { token, tlsPort } = makeConnectionToken.output.parse(data)
  expect(tlsPort).toBe(server.mqttTlsPort)
  const client = await connect('C-b3', { password: token })
  const sent = new Promise<string>((resolve) =>
    client.once('message', (_topic, payload) =>
      resolve(loginMessage.parse(JSON.parse(payload.toString())).username),
    ),
  )
  await client.subscribeAsync('hx/v1/demo/C-b3/down/#', { qos: 1 })
  expect(await sent).toBe('demo/C-b3')
  await client.endAsync()
})

test('connections of strangers that fail or are too many are gathered in the log with their address, up to a limit, and are not stored', async () => {
  const log = createLog({ logLevel: 'silent' })
  const { calls } = vi.spyOn(log, 'warn').mock
  const stored: unknown[] = []
  const store = async (refusals: readonly unknown[]) => void stored.push(...refusals)
  const refusals = createRefusals({ clock: createTestClock(), log, store })
  const record = (detail: string, reason = 'handshake-failed') =>
    refusals.record({ reason, detail, tenant: '', gateway: '', user: '', address: '' })
  for (let at = 0; at < 3; at += 1) record('ERR_SSL of 10.0.0.1')
  for (let at = 0; at < 2; at += 1) record('10.0.0.1', 'too-many-pending')
  for (let at = 0; at < 200; at += 1) record(`ERR_SSL of 10.0.1.${at}`)
  await refusals.close()
  expect(calls).toHaveLength(100)
  expect(calls[0]).toEqual([{ detail: 'ERR_SSL of 10.0.0.1', count: 3 }, 'TLS handshakes failed'])
  expect(calls[1]).toEqual([
    { detail: '10.0.0.1', count: 2 },
    'connections were closed before their sign-in, because there were too many of them',
  ])
  expect(stored).toEqual([])
})
