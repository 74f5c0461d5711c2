import { endpoints } from '@isotherm/contract/endpoints/all'
import {
  getGatewayLogin,
  getGatewayRefusals,
  makeConnectionToken,
  withdrawConnectionToken,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { loginMessage } from '@isotherm/contract/mqtt'
import { sql } from 'kysely'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRegistry, importAndWait } from '../../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { spendTokens } from './connection-token-store.pg.ts'

let server: TestServer
let [whole, part, fitter] = ['', '', '']

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', ['pd-datadevmanager'], ['p'])
  await server.createAccount('part', ['pd-datadevmanager'], ['s1'])
  await server.createAccount('fitter', ['pd-fmdevmanager'], ['p'])
  const logIn = async (account: string) => (await server.logIn(account))['ht-api']
  ;[whole, part, fitter] = [await logIn('whole'), await logIn('part'), await logIn('fitter')]
})
afterAll(() => server.stop())

const make = (target: object, token = whole) => server.call(endpoints.makeConnectionToken, target, token)

async function makeFor(serial: string): Promise<string> {
  const { data } = await make({ id: await server.deviceId(serial) })
  return makeConnectionToken.output.parse(data).token
}

const connect = (serial: string, password: string): Promise<MqttClient> =>
  connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, {
    clientId: `demo/${serial}`,
    username: `demo/${serial}`,
    password,
    reconnectPeriod: 0,
  })

/** Connects with a token and returns the password that the gateway gets. */
async function fetchPassword(serial: string, token: string): Promise<string> {
  const client = await connect(serial, token)
  const sent = new Promise<string>((resolve) =>
    client.on('message', (topic, payload, { qos, retain }) => {
      expect([topic, qos, retain]).toEqual([`hx/v1/demo/${serial}/down/login`, 0, false])
      resolve(loginMessage.parse(JSON.parse(payload.toString())).password)
    }),
  )
  await client.subscribeAsync(`hx/v1/demo/${serial}/down/#`, { qos: 1 })
  const password = await sent
  await client.endAsync()
  return password
}

async function getState(serial: string) {
  const { data } = await server.call(endpoints.getGatewayLogin, { id: await server.deviceId(serial) }, whole)
  return getGatewayLogin.output.parse(data)
}

async function listReasons(serial: string) {
  const { data } = await server.call(endpoints.getGatewayRefusals, {}, whole)
  const { datalist } = getGatewayRefusals.output.parse(data)
  return datalist.flatMap((refusal) => (refusal.serial === serial ? [refusal.reason] : [])).toSorted()
}

test('a gateway gets its password by a token, signs in with it, and the token is void', async () => {
  const token = await makeFor('C-b2')
  expect((await getState('C-b2')).token).toMatchObject({ by: 'whole' })
  const password = await fetchPassword('C-b2', token)
  // The answer may be lost before the device has stored it.
  expect(await fetchPassword('C-b2', token)).toBe(password)
  expect((await getState('C-b2')).token).toMatchObject({ usedFrom: '127.0.0.1' })
  expect((await getState('C-b2')).shown).toMatchObject({ by: '', way: 'device' })
  const shown = await server.call(endpoints.showGatewayLogin, { id: await server.deviceId('C-b2') }, whole)
  expect(shown.code).toBe('device.login-shown')
  expect(shown.text).toMatch(
    /^The password of C-b2 was shown on \d{4}-\d\d-\d\d \d\d:\d\d to the device itself\./,
  )

  await (await connect('C-b2', password)).endAsync()
  await expect.poll(async () => (await getState('C-b2')).token?.spentAt).toBeDefined()
  await expect(connect('C-b2', token)).rejects.toThrow()
  await expect.poll(() => listReasons('C-b2')).toEqual(['spent-token'])
})

test('a gateway that signs in with its password does not get it again, and does not invalidate an unused token', async () => {
  const token = await makeFor('C-b10')
  const password = await fetchPassword('C-b10', token)
  const client = await connect('C-b10', password)
  const received: string[] = []
  client.on('message', (topic) => received.push(topic))
  await client.subscribeAsync('hx/v1/demo/C-b10/down/#', { qos: 1 })
  const birth = { v: 1, online: true, boot: 1, ts: Date.now() }
  await client.publishAsync('hx/v1/demo/C-b10/up/birth', JSON.stringify(birth), { qos: 1 })
  await expect.poll(() => received).toContain('hx/v1/demo/C-b10/down/time')
  expect(received).not.toContain('hx/v1/demo/C-b10/down/login')
  await client.endAsync()
})

test('a wrong, a replaced, a withdrawn and an expired token are refused, each with its reason', async () => {
  const serial = 'C-b3'
  const first = await makeFor(serial)
  const second = await makeFor(serial)
  await expect(connect(serial, first)).rejects.toThrow()
  await expect.poll(() => listReasons(serial)).toEqual(['wrong-token'])
  await sql`update connection_token set expires_at = now() - interval '1 s'`.execute(server.db)
  await expect(connect(serial, second)).rejects.toThrow()
  await expect.poll(() => listReasons(serial)).toEqual(['expired-token', 'wrong-token'])
  const third = await makeFor(serial)
  const target = { id: await server.deviceId(serial) }
  expect((await server.call(endpoints.withdrawConnectionToken, target, whole)).code).toBeUndefined()
  await expect(connect(serial, third)).rejects.toThrow()
  // A token is valid for its own gateway only.
  await expect(connect('C-b2', await makeFor(serial))).rejects.toThrow()
})

test('a withdrawal ends the connection that a gateway made with its token, and none that it made with its password', async () => {
  const target = { serial: 'C-soon', node: await server.nodeKey('p') }
  const withdraw = async () => {
    const { data } = await server.call(endpoints.withdrawConnectionToken, target, whole)
    return withdrawConnectionToken.output.parse(data).wasOpen
  }
  const { token } = makeConnectionToken.output.parse((await make(target)).data)
  const password = await fetchPassword('C-soon', token)
  const client = await connect('C-soon', token)
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  expect(await withdraw()).toBe(true)
  await closed
  const own = await connect('C-soon', password)
  expect(await withdraw()).toBe(false)
  await own.subscribeAsync('hx/v1/demo/C-soon/down/#', { qos: 1 })
  expect(own.connected).toBe(true)
  await own.endAsync()
})

test('only a caller who sees the whole company makes a token for a serial that is not registered yet', async () => {
  const node = await server.nodeKey('p')
  const { data } = await make({ serial: 'C-later', node })
  const { token, username } = makeConnectionToken.output.parse(data)
  expect(username).toBe('demo/C-later')
  const password = await fetchPassword('C-later', token)
  await (await connect('C-later', password)).endAsync()
  // A caller who sees only a station has no access to the whole project.
  expect((await make({ serial: 'C-later', node }, part)).code).toBe('node.not-found')
  expect((await make({ serial: 'C-later', node: await server.nodeKey('s1') })).code).toBe('access.denied')
  expect((await make({ serial: 'C-later', node }, fitter)).code).toBe('access.denied')
  expect((await make({ serial: 'C-later' })).code).toBe('request.malformed')
})

async function itemOf(serial: string) {
  const device = server.db.selectFrom('device').select(['id', 'version']).where('serial', '=', serial)
  return device.executeTakeFirstOrThrow()
}

async function addConcentrator(serial: string): Promise<number> {
  const models = server.db.selectFrom('device_model').select('id').where('kind', '=', 'concentrator')
  const { id: modelId } = await models.executeTakeFirstOrThrow()
  const node = await server.nodeKey('b2')
  const added = { kind: 'concentrator', imei: serial, name: serial, modelId, node, periodS: 900 }
  expect((await server.call(endpoints.insertDev, added, whole)).code).toBeUndefined()
  return (await itemOf(serial)).id
}

test('a new password makes a token void, used or not', async () => {
  for (const isUsed of [true, false]) {
    const serial = `C-rotated-${isUsed}`
    await addConcentrator(serial)
    const token = await makeFor(serial)
    if (isUsed) await fetchPassword(serial, token)
    expect(
      (await server.call(endpoints.rotateGatewayLogin, await itemOf(serial), whole)).code,
    ).toBeUndefined()
    await expect(connect(serial, token)).rejects.toThrow()
    await expect.poll(() => listReasons(serial)).toEqual(['wrong-token'])
    const state = (await getState(serial)).token
    expect(state).toMatchObject({ withdrawnAt: expect.any(Number) as number })
    expect(state?.usedFrom).toBe(isUsed ? '127.0.0.1' : undefined)
  }
})

test('there is no token for a password that a user has seen; a token with `renew` gets a new password, which only the device sees', async () => {
  const id = await addConcentrator('C-seen')
  const early = await makeFor('C-seen')
  const seen = await server.call(endpoints.showGatewayLogin, { id }, whole)
  const { password: first } = endpoints.showGatewayLogin.output.parse(seen.data)
  await expect(connect('C-seen', early)).rejects.toThrow()
  expect((await make({ id })).code).toBe('device.login-shown')
  expect((await make({ serial: 'C-seen', node: await server.nodeKey('p') })).code).toBe('device.login-shown')

  const { data } = await make({ id, renew: true })
  const { token } = makeConnectionToken.output.parse(data)
  expect((await getState('C-seen')).shown).toBeUndefined()
  const own = await fetchPassword('C-seen', token)
  expect(own).not.toBe(first)
  await expect(connect('C-seen', first)).rejects.toThrow()
  expect((await make({ id })).code).toBe('device.login-shown')
})

test('a withdrawn token that was used stays visible, and its use is in the operation log', async () => {
  const id = await addConcentrator('C-used')
  const token = await makeFor('C-used')
  for (let uses = 0; uses < 2; uses += 1) await fetchPassword('C-used', token)
  expect((await server.call(endpoints.withdrawConnectionToken, { id }, whole)).code).toBeUndefined()
  const used = { usedFrom: '127.0.0.1', withdrawnAt: expect.any(Number) as number }
  expect((await getState('C-used')).token).toMatchObject(used)
  await expect(connect('C-used', token)).rejects.toThrow()
  const { rows } = await sql`select input, address from operation
    where endpoint = 'connection-token' and input ->> 'serial' = 'C-used'`.execute(server.db)
  expect(rows).toEqual([{ input: { serial: 'C-used' }, address: '127.0.0.1' }])
})

test('a sign-in from before the use of a token does not make it void', async () => {
  await addConcentrator('C-early')
  const early = { tenant: 'demo', gateway: 'C-early', at: Date.now() }
  const token = await makeFor('C-early')
  await expect.poll(() => Date.now()).toBeGreaterThan(early.at)
  await fetchPassword('C-early', token)
  await spendTokens(server.db, [early])
  expect((await getState('C-early')).token?.spentAt).toBeUndefined()
  const later = { ...early, at: Date.now() }
  await spendTokens(server.db, [later])
  expect((await getState('C-early')).token?.spentAt).toBe(later.at)
})

test('a move, a retirement and a removal of the device make its token void', async () => {
  const elsewhere = (
    await server.db.selectFrom('node').select('id').where('name', '=', '三号楼').execute()
  )[0]?.id
  const changes = {
    'C-moved': (id: number) =>
      server.db.updateTable('device').set({ node_id: elsewhere }).where('id', '=', id).execute(),
    'C-retired': (id: number) =>
      server.db.updateTable('device').set({ retired_at: new Date() }).where('id', '=', id).execute(),
    'C-removed': (id: number) => server.db.deleteFrom('device').where('id', '=', id).execute(),
  }
  for (const [serial, change] of Object.entries(changes)) {
    const id = await addConcentrator(serial)
    const token = await makeFor(serial)
    await change(id)
    const { rows } = await sql`select serial from connection_token where serial = ${serial}
      and withdrawn_at is not null`.execute(server.db)
    expect(rows).toEqual([{ serial }])
    await expect(connect(serial, token)).rejects.toThrow()
  }
})

test('a caller who sees one of two projects of a company makes no token for the other', async () => {
  const { company, devices } = createRegistry()
  const [other] = devices.filter(({ serial }) => serial === 'C-b3')
  if (!other) throw new Error('no concentrator')
  await importAndWait(server, {
    v: 1,
    company,
    nodes: [{ key: 'p2', parent: null, kind: 'project', level: 1, name: '新项目' }],
    devices: [{ ...other, serial: 'C-foreign', name: 'C-foreign', node: 'p2' }],
  })
  await server.createAccount('group', ['pd-datadevmanager'], ['p', 'p2'])
  const group = (await server.logIn('group'))['ht-api']
  const node = await server.nodeKey('p')
  for (const endpoint of [endpoints.makeConnectionToken, endpoints.withdrawConnectionToken]) {
    const foreign = await server.call(endpoint, { serial: 'C-foreign', node }, whole)
    expect(foreign.code).toBe('device.not-found')
    expect((await server.call(endpoint, { serial: 'C-anywhere', node }, whole)).code).toBe('access.denied')
    for (const serial of ['C-foreign', 'C-anywhere']) {
      expect((await server.call(endpoint, { serial, node }, group)).code).toBeUndefined()
    }
    expect((await server.call(endpoint, { serial: 'C-b3', node }, whole)).code).toBeUndefined()
  }
})

test('there is no token for a device behind a concentrator, a device outside the grants, or a revoked password', async () => {
  expect((await make({ id: await server.deviceId('V-b2u1') }, fitter)).code).toBe('device.no-gateway')
  expect((await make({ id: await server.deviceId('C-b3') }, part)).code).toBe('device.not-found')
  const renewed = await make({ id: await server.deviceId('C-b2'), renew: true })
  const { token } = makeConnectionToken.output.parse(renewed.data)
  const device = server.db.selectFrom('device').select(['id', 'version']).where('serial', '=', 'C-b2')
  const item = await device.executeTakeFirstOrThrow()
  expect((await server.call(endpoints.revokeGatewayLogin, item, whole)).code).toBeUndefined()
  expect((await make({ id: item.id })).code).toBe('device.login-revoked')
  await expect
    .poll(() =>
      connect('C-b2', token).then(
        () => 'in',
        () => 'refused',
      ),
    )
    .toBe('refused')
})
