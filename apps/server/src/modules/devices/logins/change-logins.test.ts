import { endpoints } from '@isotherm/contract/endpoints/all'
import {
  exportGatewayLogins,
  type GatewayLogin,
  gatewayLogin,
  getGatewayRefusals,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toGatewayPassword } from '../../../platform/mqtt/gateway-access.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let keeper = ''

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('keeper', ['pd-datadevmanager', 'ps-oplogsys'], ['s1'])
  await server.createAccount('whole', ['pd-datadevmanager'], ['p'])
  await server.createAccount('stranger', ['pd-datadevmanager'], ['s2'])
  await server.createAccount('fitter', ['pd-fmdevmanager'], ['s1'])
  keeper = (await server.logIn('keeper'))['ht-api']
})
afterAll(() => server.stop())

/** The present login of a gateway, which tests may know more often than people see it. */
const toLogin = async (serial: string) => {
  const device = server.db.selectFrom('device').select('login_version').where('serial', '=', serial)
  const { login_version: version } = await device.executeTakeFirstOrThrow()
  const username = toMqttUsername('demo', serial)
  const password = toGatewayPassword(server.config.mqtt.secret, { tenant: 'demo', gateway: serial }, version)
  return { clientId: username, username, password }
}

async function itemOf(serial: string) {
  const device = server.db.selectFrom('device').select(['id', 'version']).where('serial', '=', serial)
  return device.executeTakeFirstOrThrow()
}

const connect = (login: Pick<GatewayLogin, 'clientId' | 'username' | 'password'>): Promise<MqttClient> =>
  connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, {
    clientId: login.clientId,
    username: login.username,
    password: login.password,
    reconnectPeriod: 0,
  })

const tryConnect = async (
  login: Pick<GatewayLogin, 'clientId' | 'username' | 'password'>,
): Promise<'in' | 'refused'> => {
  try {
    await (await connect(login)).endAsync()
    return 'in'
  } catch {
    return 'refused'
  }
}

async function addConcentrator(imei: string): Promise<void> {
  const models = server.db.selectFrom('device_model').select('id').where('kind', '=', 'concentrator')
  const { id: modelId } = await models.executeTakeFirstOrThrow()
  const node = await server.nodeKey('b2')
  const added = { kind: 'concentrator', imei, name: imei, modelId, node, periodS: 900 }
  expect((await server.call(endpoints.insertDev, added, keeper)).code).toBeUndefined()
}

const untilClosed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', resolve))

async function listRefusals(account: string, query: object = {}) {
  const tokens = await server.logIn(account)
  const { code, data } = await server.call(endpoints.getGatewayRefusals, query, tokens['ht-api'])
  expect(code).toBeUndefined()
  return getGatewayRefusals.output.parse(data).datalist
}

test('a rotated password holds at once, and the gateway with the old one is disconnected', async () => {
  const old = await toLogin('C-b2')
  const client = await connect(old)
  const closed = untilClosed(client)
  const { data } = await server.call(endpoints.rotateGatewayLogin, await itemOf('C-b2'), keeper)
  const login = gatewayLogin.parse(data)
  expect(login.password).not.toBe(old.password)
  await closed
  await expect(connect(old)).rejects.toThrow()
  await (await connect(login)).endAsync()
  expect(login).toMatchObject(await toLogin('C-b2'))
})

test('a new password holds when the call that made it is answered, and the old one does not', async () => {
  await addConcentrator('C-often')
  for (let round = 0; round < 10; round += 1) {
    const old = await toLogin('C-often')
    const { data } = await server.call(endpoints.rotateGatewayLogin, await itemOf('C-often'), keeper)
    const [withNew, withOld] = await Promise.all([tryConnect(gatewayLogin.parse(data)), tryConnect(old)])
    expect([withNew, withOld]).toEqual(['in', 'refused'])
  }
})

test('a revoked gateway is disconnected at once and stays out until it gets a new password', async () => {
  const login = await toLogin('C-b10')
  const client = await connect(login)
  const closed = untilClosed(client)
  await server.call(endpoints.revokeGatewayLogin, await itemOf('C-b10'), keeper)
  await closed
  await expect(connect(login)).rejects.toThrow()
  const shown = await server.call(endpoints.showGatewayLogin, { id: await server.deviceId('C-b10') }, keeper)
  expect(shown.code).toBe('device.login-revoked')
  const { data } = await server.call(endpoints.rotateGatewayLogin, await itemOf('C-b10'), keeper)
  // The broker reads the change a moment after the call.
  await expect.poll(() => tryConnect(gatewayLogin.parse(data))).toBe('in')
  await expect(connect(login)).rejects.toThrow()
})

test('a device behind a concentrator, one of another kind, and an old version are refused', async () => {
  const fitter = (await server.logIn('fitter'))['ht-api']
  const behind = await server.call(endpoints.rotateGatewayLogin, await itemOf('V-b2u1'), fitter)
  expect(behind.code).toBe('device.no-gateway')
  const other = await server.call(endpoints.revokeGatewayLogin, await itemOf('C-b2'), fitter)
  expect(other.code).toBe('access.denied')
  const { id, version } = await itemOf('C-b2')
  const stale = await server.call(endpoints.rotateGatewayLogin, { id, version: version - 1 }, keeper)
  expect(stale.code).toBe('entity.stale')
})

test('passwords are exported for the gateways of the caller, and the log has the account that did it', async () => {
  await addConcentrator('C-new')
  const { data, body } = await server.call(endpoints.exportGatewayLogins, {}, keeper)
  const { datalist } = exportGatewayLogins.output.parse(data)
  expect(datalist.map(({ serial }) => serial)).toContain('C-b2')
  expect(datalist.map(({ serial }) => serial)).not.toContain('C-b3')
  const { password = '' } = datalist.find(({ serial }) => serial === 'C-new') ?? {}
  expect(password).toBe((await toLogin('C-new')).password)
  expect(body).not.toContain('V-b2u1')
  const log = await server.call(endpoints.getOperations, { endpoint: 'exportGatewayLogins' }, keeper)
  expect(log.body).toContain('keeper')
  expect(log.body).not.toContain(password)
})

test('refusals are listed with their reason for the people who may see the gateway', async () => {
  const login = await toLogin('C-b2')
  for (const refused of [
    { ...login, password: 'wrong' },
    { ...login, password: 'wrong again' },
    { clientId: 'demo/C-nobody', username: 'demo/C-nobody', password: 'x' },
    { ...login, clientId: 'other' },
    { clientId: 'x', username: 'garbage', password: 'x' },
  ]) {
    await expect(connect(refused)).rejects.toThrow()
  }
  await addConcentrator('C-old')
  const ofRetired = await toLogin('C-old')
  const retiring = { ...(await itemOf('C-old')), use: 'retired' }
  expect((await server.call(endpoints.updateDev, retiring, keeper)).code).toBeUndefined()
  await expect.poll(() => tryConnect(ofRetired)).toBe('refused')
  const client = await connect(login)
  client.publish('hx/v1/demo/C-b3/up/telemetry', '{}')
  await untilClosed(client)

  const reasonsOf = async (account: string) =>
    (await listRefusals(account)).map(({ serial, reason }) => `${serial} ${reason}`).toSorted()
  const ofStation = ['C-b2 wrong-client-id', 'C-b2 wrong-password', 'C-b2 wrong-topic', 'C-old retired']
  await expect.poll(() => reasonsOf('keeper')).toEqual(expect.arrayContaining(ofStation))
  expect(await reasonsOf('keeper')).not.toContain('C-nobody unknown-serial')
  expect(await reasonsOf('whole')).toEqual(expect.arrayContaining([...ofStation, 'C-nobody unknown-serial']))
  expect(await reasonsOf('stranger')).toEqual([])
  expect(await reasonsOf('fitter')).toEqual([])

  const mine = await listRefusals('keeper', { deviceId: await server.deviceId('C-b2') })
  const wrong = mine.find(({ reason }) => reason === 'wrong-password')
  // Those of the test of rotation count too.
  expect(wrong).toMatchObject({ count: 3, address: '127.0.0.1', user: 'demo/C-b2' })
  expect(mine.find(({ reason }) => reason === 'wrong-topic')?.topic).toBe('hx/v1/demo/C-b3/up/telemetry')
})

test('a withdrawn password stays withdrawn when its gateway is removed and added again', async () => {
  await addConcentrator('C-lost')
  const stolen = await toLogin('C-lost')
  expect(
    (await server.call(endpoints.revokeGatewayLogin, await itemOf('C-lost'), keeper)).code,
  ).toBeUndefined()
  await expect.poll(() => tryConnect(stolen)).toBe('refused')
  const items = [await itemOf('C-lost')]
  expect((await server.call(endpoints.deleteDev, { items }, keeper)).code).toBeUndefined()
  // Once the broker knows it no more it is a stranger with a wrong password.
  const listReasons = async () => {
    await tryConnect(stolen)
    return (await listRefusals('whole')).map(({ serial, reason }) => `${serial} ${reason}`)
  }
  await expect.poll(listReasons).toContain('C-lost unknown-serial')
  await addConcentrator('C-lost')
  const login = await toLogin('C-lost')
  expect(login.password).not.toBe(stolen.password)
  await expect.poll(() => tryConnect(login)).toBe('in')
  expect(await tryConnect(stolen)).toBe('refused')
})
