import { permissions } from '@isotherm/contract/access/permissions'
import { device } from '@isotherm/contract/devices'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { ValveCharacteristic } from '@isotherm/contract/valve-characteristic'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Answer,
  startTestServer,
  type TestServer,
  type Tokens,
} from '../../../testing/server.testkit.ts'

let server: TestServer
let all: Tokens
/** Account with the second station. */
let second: Tokens
/** Account with the whole company and every permission except that of the valves page. */
let withoutValves: Tokens

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('all', permissions, ['p'])
  await server.createAccount('second', permissions, ['s2'])
  await server.createAccount(
    'meters',
    permissions.filter((permission) => permission !== 'pd-fmdevmanager'),
    ['p'],
  )
  all = await server.logIn('all')
  second = await server.logIn('second')
  withoutValves = await server.logIn('meters')
})
afterAll(() => server.stop())

const call = (tokens: Tokens, name: EndpointName, input: unknown): Promise<Answer> => {
  const endpoint = endpoints[name]
  return server.call(endpoint, input, tokens[endpoint.backend], { 'Accept-Language': 'zh' })
}
const read = async (serial: string) =>
  device.parse((await call(all, 'getDevice', { id: await server.deviceId(serial) })).data)
const stateCurve = async (serial: string, characteristic: unknown, tokens = all) => {
  const { id, version } = await read(serial)
  return call(tokens, 'updateDev', { id, version, characteristic })
}
const linear: ValveCharacteristic = { kind: 'linear', kvsM3H: 12 }

test('a stated characteristic is read back as the curve of the valve, until it is removed', async () => {
  expect((await read('V-b2u1')).curve).toMatchObject({ source: 'assumed', kind: 'equal-percentage' })
  const changed = device.parse((await stateCurve('V-b2u1', linear)).data)
  expect(changed).toMatchObject({
    characteristic: linear,
    curve: { source: 'stated', kind: 'linear', kvsM3H: 12 },
  })
  expect(await read('V-b2u1')).toEqual(changed)
  const listed = z
    .object({ list: z.array(device) })
    .parse((await call(all, 'getDeviceInfoByDeviceNos', { deviceNos: ['V-b2u1'] })).data)
  expect(listed.list[0]?.characteristic).toEqual(linear)
  const without = device.parse((await stateCurve('V-b2u1', null)).data)
  expect([without.characteristic, without.curve?.source]).toEqual([undefined, 'assumed'])
})

test('a valve whose model names a shape has that curve, and a device of another kind has none', async () => {
  await server.db
    .insertInto('device_model')
    .values({ kind: 'valve', name: 'DN25 Kvs8 LIN' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await server.db
    .updateTable('device')
    .set({ model: 'DN25 Kvs8 LIN' })
    .where('serial', '=', 'V-b2u2')
    .execute()
  expect((await read('V-b2u2')).curve).toEqual({ source: 'plate', kind: 'linear', kvsM3H: 8 })
  expect((await read('R-b2u2')).curve).toBeUndefined()
})

test('a characteristic is stated only inside the grants, and with the permission for valves', async () => {
  const before = await read('V-b10u1')
  expect((await stateCurve('V-b10u1', linear, second)).code).toBe('device.not-found')
  expect((await stateCurve('V-b10u1', linear, withoutValves)).code).toBe('access.denied')
  const items = [{ id: before.id, version: before.version }]
  const changes = { characteristic: linear }
  expect((await call(second, 'updateBatchDev', { items, changes })).code).toBe('device.not-found')
  expect((await call(withoutValves, 'updateBatchDev', { items, changes })).code).toBe('access.denied')
  expect(await read('V-b10u1')).toEqual(before)
})

test('many valves get the same characteristic in one call', async () => {
  const valves = await Promise.all(['V-b3u1', 'V-b3u2'].map(read))
  const items = valves.map(({ id, version }) => ({ id, version }))
  expect((await call(second, 'updateBatchDev', { items, changes: { characteristic: linear } })).code).toBe(
    undefined,
  )
  const after = await Promise.all(['V-b3u1', 'V-b3u2'].map(read))
  expect(after.map(({ characteristic }) => characteristic)).toEqual([linear, linear])
})

test('only a valve has a characteristic, and points that are no curve are refused with the reason', async () => {
  expect((await stateCurve('R-b2u1', linear)).code).toBe('device.wrong-kind')
  const measured = (...kv: readonly number[]) => ({
    kind: 'measured',
    points: kv.map((kvM3H, index) => ({ openingPct: index * 50, kvM3H })),
  })
  const falling = await stateCurve('V-b2u1', measured(0, 8, 6))
  expect([falling.code, falling.text]).toEqual([
    'device.bad-curve',
    '实测流量特性无效：流通能力不得逐点减小，最后一点须大于零',
  ])
  const short = await stateCurve('V-b2u1', { kind: 'measured', points: [{ openingPct: 100, kvM3H: 6 }] })
  expect(short.text).toContain('须有三至二十一个点')
  expect((await stateCurve('V-b2u1', { kind: 'linear', kvsM3H: 0 })).code).toBe('request.malformed')
  expect((await stateCurve('V-b2u1', { kind: 'equal-percentage', kvsM3H: 16 })).code).toBe(
    'request.malformed',
  )
  expect((await stateCurve('V-b2u1', measured(0, 4, 16))).code).toBeUndefined()
})

test('a valve is added with its characteristic', async () => {
  const model = await server.db
    .selectFrom('device_model')
    .select('id')
    .where('kind', '=', 'valve')
    .executeTakeFirstOrThrow()
  const valve = {
    kind: 'valve',
    name: '阀',
    modelId: model.id,
    periodS: 60,
    node: await server.nodeKey('b2'),
  }
  const added = await call(all, 'insertDev', { ...valve, imei: 'V-new', characteristic: linear })
  expect(device.parse(added.data).characteristic).toEqual(linear)
  const meter = { ...valve, imei: 'V-bad', characteristic: { kind: 'measured', points: [] } }
  expect((await call(all, 'insertDev', meter)).code).toBe('device.bad-curve')
})

test('a replacement of the same model has the stated characteristic, but not one measured on the old valve', async () => {
  const replace = async (serial: string, imei: string, more = {}) => {
    const { id, version } = await read(serial)
    return z
      .object({ device, replaced: device })
      .parse((await call(all, 'replaceDev', { id, version, imei, ...more })).data)
  }
  await stateCurve('V-b3u1', linear)
  expect((await replace('V-b3u1', 'V-b3u1-next')).device.characteristic).toEqual(linear)
  const other = await server.db
    .insertInto('device_model')
    .values({ kind: 'valve', name: 'DN40 Kvs25' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const changed = await replace('V-b3u1-next', 'V-b3u1-last', { modelId: other.id })
  expect(changed.device.curve).toEqual({ source: 'assumed', kind: 'equal-percentage', kvsM3H: 25 })
  expect(changed.replaced.characteristic).toEqual(linear)
  const points = [
    { openingPct: 0, kvM3H: 0 },
    { openingPct: 40, kvM3H: 3 },
    { openingPct: 100, kvM3H: 10 },
  ]
  await stateCurve('V-b3u2', { kind: 'measured', points })
  const { device: unmeasured, replaced } = await replace('V-b3u2', 'V-b3u2-next')
  expect([unmeasured.characteristic, replaced.characteristic?.kind]).toEqual([undefined, 'measured'])
})

test('the second of two changes of one version is refused, and the text names the field', async () => {
  const { id, version } = await read('V-b10u2')
  await call(all, 'updateDev', { id, version, characteristic: linear })
  const late = await call(all, 'updateDev', { id, version, characteristic: { kind: 'linear', kvsM3H: 14 } })
  expect(late.code).toBe('entity.stale')
  expect(late.text).toContain('流量特性')
})
