import { endpoints } from '@isotherm/contract/endpoints/all'
import { gatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let keeper = ''
let fitter = ''

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('keeper', ['pd-datadevmanager', 'ps-oplogsys'], ['s1'])
  await server.createAccount('fitter', ['pd-fmdevmanager'], ['s1'])
  keeper = (await server.logIn('keeper'))['ht-api']
  fitter = (await server.logIn('fitter'))['ht-api']
})
afterAll(() => server.stop())

const show = async (serial: string, token: string) =>
  server.call(endpoints.showGatewayLogin, { id: await server.deviceId(serial) }, token)

test('with the shown credentials a concentrator signs in to the broker and may use its topics', async () => {
  const { data } = await show('C-b2', keeper)
  const login = gatewayLogin.parse(data)
  expect(login.port).toBe(server.mqttPort)
  const { clientId, username, password } = login
  const client = await connectAsync(`mqtt://127.0.0.1:${login.port}`, { clientId, username, password })
  await client.subscribeAsync(`${login.downTopic}/cmd`)
  const birth = { v: 1, online: true, boot: 1, ts: Date.now() }
  await client.publishAsync(`${login.upTopic}/birth`, JSON.stringify(birth), { qos: 1 })
  await client.endAsync()
})

test('who saw a password is in the operation log, the password is not', async () => {
  const { data } = await show('C-b10', keeper)
  const { body } = await server.call(endpoints.getOperations, { endpoint: 'showGatewayLogin' }, keeper)
  expect(body).toContain('keeper')
  expect(body).not.toContain(gatewayLogin.parse(data).password)
})

test('a device behind a concentrator, one of another kind, and a foreign one are refused', async () => {
  expect((await show('V-b2u1', fitter)).code).toBe('device.no-gateway')
  expect((await show('C-b2', fitter)).code).toBe('access.denied')
  expect((await show('C-b3', keeper)).code).toBe('device.not-found')
})

test('a retired gateway has no credentials', async () => {
  const id = await server.deviceId('C-b10')
  await server.db.updateTable('device').set({ retired_at: new Date() }).where('id', '=', id).execute()
  expect((await show('C-b10', keeper)).code).toBe('device.retired')
})
