import { endpoints } from '@isotherm/contract/endpoints/all'
import {
  exportBrokerLogins,
  exportGatewayLogins,
  gatewayLogin,
  getGatewayLogin,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let [keeper, second] = ['', '']

beforeAll(async () => {
  server = await startTestServer()
  for (const account of ['keeper', 'second']) {
    await server.createAccount(account, ['pd-datadevmanager', 'ps-oplogsys'], ['s1'])
  }
  keeper = (await server.logIn('keeper'))['ht-api']
  second = (await server.logIn('second'))['ht-api']
})
afterAll(() => server.stop())

/** Another serial at each attempt of a test: an earlier one may have added its device. */
let attempt = 0
beforeEach(() => {
  attempt++
})
const toSerial = (name: string): string => `${name}-${attempt}`

async function addConcentrator(imei: string): Promise<void> {
  const models = server.db.selectFrom('device_model').select('id').where('kind', '=', 'concentrator')
  const { id: modelId } = await models.executeTakeFirstOrThrow()
  const node = await server.nodeKey('b2')
  const added = { kind: 'concentrator', imei, name: imei, modelId, node, periodS: 900 }
  expect((await server.call(endpoints.insertDev, added, keeper)).code).toBeUndefined()
}

async function itemOf(serial: string) {
  const device = server.db.selectFrom('device').select(['id', 'version']).where('serial', '=', serial)
  return device.executeTakeFirstOrThrow()
}

const show = async (serial: string, token: string) =>
  server.call(endpoints.showGatewayLogin, { id: await server.deviceId(serial) }, token)

async function getState(serial: string) {
  const { data } = await server.call(endpoints.getGatewayLogin, { id: await server.deviceId(serial) }, second)
  return getGatewayLogin.output.parse(data)
}

async function exportFor(token: string) {
  const { data } = await server.call(
    endpoints.exportGatewayLogins,
    { nodes: [await server.nodeKey('s1')] },
    token,
  )
  return exportGatewayLogins.output.parse(data).datalist
}

test('a password is shown once; a second call is refused with the account and time, and a new password is shown once again', async () => {
  const serial = toSerial('C-once')
  await addConcentrator(serial)
  expect(await getState(serial)).toEqual({
    username: `demo/${serial}`,
    isRevoked: false,
    takesTokens: true,
  })
  const first = await show(serial, keeper)
  expect(gatewayLogin.parse(first.data).password).toMatch(/^[0-9a-f]{64}$/)
  for (const token of [keeper, second]) {
    const again = await show(serial, token)
    expect(again.code).toBe('device.login-shown')
    expect(again.body).toMatch(/C-once.*\d{4}-\d\d-\d\d \d\d:\d\d.*keeper/)
    expect(again.body).not.toContain(gatewayLogin.parse(first.data).password)
  }
  expect((await getState(serial)).shown).toMatchObject({ by: 'keeper', way: 'page' })

  const rotated = await server.call(endpoints.rotateGatewayLogin, await itemOf(serial), second)
  expect(gatewayLogin.parse(rotated.data).password).not.toBe(gatewayLogin.parse(first.data).password)
  expect((await show(serial, keeper)).code).toBe('device.login-shown')
  expect((await getState(serial)).shown).toMatchObject({ by: 'second', way: 'rotation' })
})

test('of many people who ask at the same moment exactly one sees the password', async () => {
  for (const serial of ['C-race-1', 'C-race-2', 'C-race-3'].map(toSerial)) {
    await addConcentrator(serial)
    const calls = Array.from({ length: 8 }, (_, index) => show(serial, index % 2 === 0 ? keeper : second))
    const exported = exportFor(keeper)
    const shown = (await Promise.all(calls)).filter(({ code }) => code === undefined)
    const listed = (await exported).filter((login) => login.serial === serial && login.password !== undefined)
    expect(shown.length + listed.length).toBe(1)
  }
})

test('an export has the passwords that nobody has seen, and for the others the account that saw them', async () => {
  const [seen, unseen] = [toSerial('C-seen'), toSerial('C-unseen')]
  await addConcentrator(seen)
  await addConcentrator(unseen)
  await show(seen, keeper)
  const first = await exportFor(second)
  const find = (list: typeof first, serial: string) => list.find((login) => login.serial === serial)
  expect(find(first, seen)).toMatchObject({ shown: { by: 'keeper', way: 'page' } })
  expect(find(first, seen)?.password).toBeUndefined()
  expect(find(first, unseen)?.password).toMatch(/^[0-9a-f]{64}$/)
  expect(find(first, unseen)?.shown).toBeUndefined()

  expect((await show(unseen, keeper)).code).toBe('device.login-shown')
  const again = await exportFor(keeper)
  expect(again.filter(({ password }) => password !== undefined)).toEqual([])
  expect(find(again, unseen)).toMatchObject({ shown: { by: 'second', way: 'export' } })
})

test('an export that fails shows nothing', async () => {
  const serial = toSerial('C-failed')
  await addConcentrator(serial)
  const nodes = ['no such node']
  expect((await server.call(endpoints.exportGatewayLogins, { nodes }, keeper)).code).toBe('node.not-found')
  expect((await getState(serial)).shown).toBeUndefined()
})

test('a password that was seen stays seen when its gateway is removed and added again', async () => {
  const serial = toSerial('C-again')
  await addConcentrator(serial)
  await show(serial, keeper)
  const items = [await itemOf(serial)]
  expect((await server.call(endpoints.deleteDev, { items }, keeper)).code).toBeUndefined()
  await addConcentrator(serial)
  expect((await show(serial, second)).code).toBe('device.login-shown')
})

test('hashes for external brokers show no password and can be taken at any time', async () => {
  const serial = toSerial('C-hashed')
  await addConcentrator(serial)
  const nodes = [await server.nodeKey('s1')]
  const { data, body } = await server.call(endpoints.exportBrokerLogins, { nodes }, keeper)
  const { datalist } = exportBrokerLogins.output.parse(data)
  expect(datalist.map(({ username }) => username)).toContain(`demo/${serial}`)
  const { data: shown } = await show(serial, keeper)
  expect(body).not.toContain(gatewayLogin.parse(shown).password)
  const { data: again } = await server.call(endpoints.exportBrokerLogins, { nodes }, second)
  expect(exportBrokerLogins.output.parse(again).datalist).toHaveLength(datalist.length)
  const log = await server.call(endpoints.getOperations, { endpoint: 'exportBrokerLogins' }, keeper)
  expect(log.body).toContain('second')
})
