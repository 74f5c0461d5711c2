import { permissions } from '@isotherm/contract/access/permissions'
import { device } from '@isotherm/contract/devices'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Answer,
  startTestServer,
  type TestServer,
  type Tokens,
} from '../../../testing/server.testkit.ts'

let server: TestServer
/** Staff of the company: with the whole company, the second station, and one valve of the first. */
let all: Tokens
let second: Tokens
let single: Tokens

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('all', permissions, ['p'])
  await server.createAccount('second', permissions, ['s2'])
  const id = await server.createAccount('single', permissions, [])
  const grant = { account_id: id, device_id: await server.deviceId('V-b2u1') }
  await server.db.insertInto('account_device').values(grant).execute()
  all = await server.logIn('all')
  second = await server.logIn('second')
  single = await server.logIn('single')
})
afterAll(() => server.stop())

const call = (tokens: Tokens, name: EndpointName, input: unknown): Promise<Answer> => {
  const endpoint = endpoints[name]
  return server.call(endpoint, input, tokens[endpoint.backend])
}
const page = z.object({ list: z.array(device), total: z.number() })
const list = z.object({ list: z.array(device) })
const datalist = z.object({ datalist: z.array(device), total: z.number() })
const limiter = { page: 1, size: 100 }

const serialsOf = (devices: readonly { readonly imei: string }[]) => devices.map(({ imei }) => imei)

test('§7 /dev/getDevs gives the devices of a project or group by kind and text, a page at a time', async () => {
  const input = { projectId: await server.nodeId('p'), kind: 'valve', pageNo: 1, pageSize: 4 }
  const first = page.parse((await call(all, 'getDevs', input)).data)
  expect([serialsOf(first.list), first.total]).toEqual([['V-b2u1', 'V-b2u2', 'V-b10u1', 'V-b10u2'], 6])
  const rest = page.parse((await call(all, 'getDevs', { ...input, pageNo: 2 })).data)
  expect(serialsOf(rest.list)).toEqual(['V-b3u1', 'V-b3u2'])
  const named = { groupId: await server.nodeId('a1'), text: 'b10U', pageNo: 1, pageSize: 10 }
  expect(page.parse((await call(all, 'getDevs', named)).data).total).toBe(4)
  const wild = { text: 'V%1', pageNo: 1, pageSize: 10 }
  expect(page.parse((await call(all, 'getDevs', wild)).data).total).toBe(0)
})

test('places of /dev/getDevs intersect, and nothing outside the grants is counted', async () => {
  const apart = { groupId: await server.nodeId('s1'), id: await server.nodeId('s2'), pageNo: 1, pageSize: 9 }
  expect(page.parse((await call(all, 'getDevs', apart)).data)).toEqual({ list: [], total: 0 })
  const within = { projectId: await server.nodeId('p'), kind: 'valve', pageNo: 1, pageSize: 9 }
  expect(serialsOf(page.parse((await call(second, 'getDevs', within)).data).list)).toEqual([
    'V-b3u1',
    'V-b3u2',
  ])
  expect(serialsOf(page.parse((await call(single, 'getDevs', within)).data).list)).toEqual(['V-b2u1'])
})

test('§7 /dev/getDeviceInfoByDeviceNos finds by serial and by IMEI, in the requested order', async () => {
  const imei = '490154203237518'
  await server.db.updateTable('device').set({ imei }).where('serial', '=', 'C-b3').execute()
  const deviceNos = ['V-b3u2', imei, 'V-b2u1']
  const found = list.parse((await call(all, 'getDeviceInfoByDeviceNos', { deviceNos })).data)
  expect(serialsOf(found.list)).toEqual(['V-b3u2', 'C-b3', 'V-b2u1'])
  expect((await call(second, 'getDeviceInfoByDeviceNos', { deviceNos })).code).toBe('device.not-found')
})

test('§7 CtlDev/GetDev takes a filter and a limiter; an unknown field is refused', async () => {
  const query = async (field: string, cond: string, vstd: string | number, tokens = all) =>
    call(tokens, 'getDev', { filter: [{ field, cond, vstd }], limiter })
  expect(serialsOf(datalist.parse((await query('concentrator', 'eq', 'C-b3')).data).datalist)).toEqual([
    'V-b3u1',
    'R-b3u1',
    'V-b3u2',
    'R-b3u2',
  ])
  expect(datalist.parse((await query('maxPct', 'ge', 90)).data).total).toBe(6)
  expect(datalist.parse((await query('use', 'eq', 'retired')).data).total).toBe(0)
  expect(datalist.parse((await query('kind', 'eq', 'valve', single)).data).total).toBe(1)
  expect((await query('company_id', 'eq', 1)).code).toBe('filter.unknown-field')
})

test('§7 CtlDev/GetDev narrows by kind, use and a part of name or number', async () => {
  const query = async (input: object) =>
    serialsOf(datalist.parse((await call(all, 'getDev', { ...input, limiter })).data).datalist)
  expect(await query({ kinds: ['concentrator'], use: 'in-use' })).toEqual(['C-b2', 'C-b10', 'C-b3'])
  expect(await query({ kinds: ['valve'], text: 'b10u' })).toEqual(['V-b10u1', 'V-b10u2'])
  expect(await query({ use: 'retired' })).toEqual([])
})

test('§7 Dev/IsExistImei states that a number is taken, and names the device only to callers who may see it', async () => {
  const answer = z.object({ exists: z.boolean(), datalist: z.array(device) })
  const query = async (tokens: Tokens, imei: string) =>
    answer.parse((await call(tokens, 'isExistImei', { imei })).data)
  expect(serialsOf((await query(all, 'V-b2u1')).datalist)).toEqual(['V-b2u1'])
  expect(await query(second, 'V-b2u1')).toEqual({ exists: true, datalist: [] })
  expect(await query(second, 'V-none')).toEqual({ exists: false, datalist: [] })
})

test('§7 Dev/GetDevPre and UpdateDevPre show and set report period and limits of many', async () => {
  const presets = z.object({
    datalist: z.array(
      z.object({ id: z.number(), version: z.number(), periodS: z.number(), limits: z.unknown() }),
    ),
  })
  const filter = [{ field: 'kind', cond: 'eq', vstd: 'valve' }]
  const nodes = [await server.nodeKey('s2')]
  const before = presets.parse((await call(second, 'getDevPre', { filter, limiter, nodes })).data)
  expect(before.datalist).toHaveLength(2)
  const items = before.datalist.map(({ id, version }) => ({ id, version }))
  const limits = { minPct: 20, maxPct: 80 }
  const after = presets.parse((await call(second, 'updateDevPre', { items, periodS: 120, limits })).data)
  expect(after.datalist).toEqual(
    items.map(({ id, version }) =>
      expect.objectContaining({ id, version: version + 1, periodS: 120, limits }),
    ),
  )
  expect((await call(second, 'updateDevPre', { items, periodS: 60 })).code).toBe('entity.stale')
  const upsideDown = { items, limits: { minPct: 80, maxPct: 20 } }
  expect((await call(second, 'updateDevPre', upsideDown)).code).toBe('request.malformed')
})

test('§7 Rbac/WxUpdateDevByTk changes the name, description or node of a device, and nothing else', async () => {
  const one = device.parse((await call(single, 'getDevice', { id: await server.deviceId('V-b2u1') })).data)
  const item = { id: one.id, version: one.version }
  const edited = await call(single, 'wxUpdateDevByTk', { ...item, name: '一单元阀', periodS: 5 })
  expect(edited.data).toMatchObject({ name: '一单元阀', periodS: 60, version: one.version + 1 })
  const moved = { id: one.id, version: one.version + 1, node: await server.nodeKey('b2') }
  expect((await call(single, 'wxUpdateDevByTk', moved)).code).toBe('node.not-found')
  expect((await call(all, 'wxUpdateDevByTk', moved)).data).toMatchObject({ node: moved.node })
})

test('§7 Model/GetAllDevModels lists every model by kind and name', async () => {
  const { data } = await call(all, 'getAllDevModels', {})
  expect(data).toMatchObject({
    datalist: [
      { kind: 'concentrator', name: 'T1' },
      { kind: 'room-sensor', name: 'T1' },
      { kind: 'valve', name: 'T1', abilities: [] },
    ],
    total: 3,
  })
})

test('a retired device takes no command', async () => {
  const found = device.parse((await call(all, 'getDevice', { id: await server.deviceId('V-b10u1') })).data)
  expect(found.abilities).toEqual(['control', 'edit', 'remove'])
  const item = { id: found.id, version: found.version }
  const retired = await call(all, 'updateDev', { ...item, use: 'retired' })
  expect(retired.data).toMatchObject({ use: 'retired', abilities: ['edit', 'remove'] })
  const order = { targets: [{ deviceId: found.id, openingPct: 50 }], reason: 'test' }
  expect((await call(all, 'publishMqCtlCmd', order)).code).toBe('device.not-controllable')
})

test('§7 /dev/deleteDev refuses a device that has ever reported, also years ago and before the server started', async () => {
  const id = await server.deviceId('R-b10u1')
  const { version } = device.parse((await call(all, 'getDevice', { id })).data)
  const reading = { device: id, value: 20, quality: 0, node: 1, boot: 1, seq: 4, live: 1, metric: 12 }
  const ts = '2023-01-15 08:00:00'
  const values = [{ ...reading, ts, received: ts, months: 1 }]
  await server.clickhouse.insert({ table: 'readings', values, format: 'JSONEachRow' })
  const refused = await call(all, 'deleteDev', { items: [{ id, version }] })
  expect([refused.code, refused.text]).toEqual(['entity.in-use', expect.stringContaining('R-b10u1')])
  const silent = await server.deviceId('R-b10u2')
  const known = device.parse((await call(all, 'getDevice', { id: silent })).data)
  const items = [{ id: silent, version: known.version }]
  expect((await call(all, 'deleteDev', { items })).data).toEqual({ ids: [silent] })
})

test('the retired device is found by the number of its replacement', async () => {
  const old = device.parse((await call(all, 'getDevice', { id: await server.deviceId('R-b2u2') })).data)
  const replaced = await call(all, 'replaceDev', { id: old.id, version: old.version, imei: 'R-new' })
  const added = z.object({ device }).parse(replaced.data).device
  const filter = [{ field: 'replacedBy', cond: 'eq', vstd: added.id }]
  const { datalist: found } = datalist.parse((await call(all, 'getDev', { filter, limiter })).data)
  expect(found.map(({ imei, use }) => [imei, use])).toEqual([['R-b2u2', 'retired']])
})

test('the history of a place names the devices that were replaced, as far back as they are granted', async () => {
  const replace = async (id: number, imei: string) => {
    const { version } = device.parse((await call(all, 'getDevice', { id })).data)
    const { data } = await call(all, 'replaceDev', { id, version, imei })
    return z.object({ device, replaced: device }).parse(data)
  }
  const first = await replace(await server.deviceId('R-b3u2'), 'R-second')
  const second_ = await replace(first.device.id, 'R-third')
  const earlier = async (tokens: Tokens, id: number) => call(tokens, 'getDataSegments', { deviceIds: [id] })
  const { data } = await earlier(second, second_.device.id)
  const of = second_.device.id
  expect(data).toEqual({
    datalist: [
      {
        of,
        deviceId: first.device.id,
        imei: 'R-second',
        model: 'T1',
        from: first.replaced.retiredAt,
        to: second_.replaced.retiredAt,
      },
      { of, deviceId: first.replaced.id, imei: 'R-b3u2', model: 'T1', to: first.replaced.retiredAt },
    ],
  })
  expect((await earlier(single, of)).code).toBe('device.not-found')
  // A grant on a single device moves to the new one, so the old one is not visible any more.
  const valve = await replace(await server.deviceId('V-b2u1'), 'V-second')
  expect((await earlier(single, valve.device.id)).data).toEqual({ datalist: [] })
  expect((await earlier(all, valve.device.id)).data).toMatchObject({ datalist: [{ imei: 'V-b2u1' }] })
})
