import { permissions } from '@isotherm/contract/access/permissions'
import { endpoints } from '@isotherm/contract/endpoints/all'
import type { RealDevice } from '@isotherm/contract/endpoints/monitoring/real-values'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toSignal } from '../../../platform/signals/signals.pg.ts'
import { report } from '../../../testing/permission.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
let whole = ''
let east = ''

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', permissions, [], 'provider')
  await server.createAccount('east', ['pe-fmreal'], ['a1'])
  whole = (await server.logIn('whole'))['ht-api']
  east = (await server.logIn('east'))['ht-api']
  await report(server, 'C-b2', { 'V-b2u1': 40, 'V-b2u2': 70 })
  await report(server, 'C-b10', { 'V-b10u1': 20 })
})
afterAll(() => server.stop())

const kinds = ['valve']

/** Serials and openings in the order of the answer, and the total. */
async function select(input: object, token = whole) {
  const isOrdered = 'orderBy' in input
  const endpoint = isOrdered ? endpoints.getThreeSelectNewRealDevOrderBy : endpoints.getThreeSelectNewRealDev
  const { code, data } = await server.call(endpoint, { kinds, ...input }, token)
  if (code !== undefined) return code
  const { datalist, total } = endpoint.output.parse(data)
  return { rows: datalist.map(toRow), total }
}

const toRow = ({ device, state }: RealDevice): string =>
  `${device.imei} ${state?.metrics['valve.opening'] ?? '-'}`

test('§7 Dev/GetThreeSelectNewRealDev: each select narrows the one before it', async () => {
  const [projectId, groupId] = [await server.nodeId('p'), await server.nodeId('s1')]
  const uuid = await server.nodeKey('b10')
  expect(await select({ projectId })).toMatchObject({ total: 6 })
  const ofStation = ['V-b2u1 40', 'V-b2u2 70', 'V-b10u1 20', 'V-b10u2 -']
  expect(await select({ projectId, groupId })).toEqual({ rows: ofStation, total: 4 })
  expect(await select({ projectId, groupId, uuid })).toEqual({ rows: ['V-b10u1 20', 'V-b10u2 -'], total: 2 })
  expect(await select({})).toMatchObject({ total: 6 })
})

test('a select that is not inside the wider one is not found', async () => {
  const groupId = await server.nodeId('s2')
  expect(await select({ groupId, uuid: await server.nodeKey('b2') })).toBe('node.not-found')
})

test('conditions on columns and on newest values are combined; a missing value matches none', async () => {
  const like = { field: 'imei', cond: 'like', vstd: 'b2' }
  expect(await select({ filter: [like] })).toEqual({ rows: ['V-b2u1 40', 'V-b2u2 70'], total: 2 })
  const wide = { field: 'valve.opening', cond: 'ge', vstd: 40 }
  expect(await select({ filter: [wide] })).toEqual({ rows: ['V-b2u1 40', 'V-b2u2 70'], total: 2 })
  const not70 = { field: 'valve.opening', cond: 'ne', vstd: 70 }
  expect(await select({ filter: [not70] })).toEqual({ rows: ['V-b2u1 40', 'V-b10u1 20'], total: 2 })
  expect(await select({ filter: [like, not70] })).toEqual({ rows: ['V-b2u1 40'], total: 1 })
  const oneOf = { field: 'valve.opening', cond: 'in', vstd: '20,70' }
  expect(await select({ filter: [oneOf] })).toEqual({ rows: ['V-b2u2 70', 'V-b10u1 20'], total: 2 })
})

test('nodes narrow the selects, and a text looks at names and numbers', async () => {
  const groupId = await server.nodeId('s1')
  const nodes = [await server.nodeKey('b2'), await server.nodeKey('b3')]
  expect(await select({ groupId, nodes })).toEqual({ rows: ['V-b2u1 40', 'V-b2u2 70'], total: 2 })
  expect(await select({ text: 'b10U' })).toMatchObject({ total: 2 })
  const wide = { field: 'valve.opening', cond: 'ge', vstd: 40 }
  expect(await select({ text: 'u1', filter: [wide] })).toEqual({ rows: ['V-b2u1 40'], total: 1 })
  expect(await select({ nodes, orderBy: 'valve.opening', text: 'u' })).toMatchObject({ total: 4 })
  expect(await select({ nodes: [await server.nodeKey('s2')] }, east)).toBe('node.not-found')
})

test('by presence: a device that has never reported is not among the silent ones', async () => {
  const groupId = await server.nodeId('s1')
  const present = { rows: ['V-b2u1 40', 'V-b2u2 70', 'V-b10u1 20'], total: 3 }
  expect(await select({ groupId, presence: ['present'] })).toEqual(present)
  expect(await select({ groupId, presence: ['never'] })).toEqual({ rows: ['V-b10u2 -'], total: 1 })
  expect(await select({ groupId, presence: ['silent', 'unknown'] })).toEqual({ rows: [], total: 0 })
  const { data } = await server.call(
    endpoints.getThreeSelectNewRealDev,
    { groupId, kinds: ['concentrator'] },
    whole,
  )
  const { datalist } = endpoints.getThreeSelectNewRealDev.output.parse(data)
  // A concentrator without readings of its own is present through its messages.
  expect(
    datalist.map(({ device, state, presence, seenAt }) => [
      device.imei,
      state,
      presence,
      seenAt !== undefined,
    ]),
  ).toEqual([
    ['C-b2', undefined, 'present', true],
    ['C-b10', undefined, 'present', true],
  ])
})

test('by open findings, for callers who may see findings', async () => {
  const found = { device_id: await server.deviceId('V-b2u2'), rule: 'frozen' as const, detail: '{}' }
  const ended = { ...found, device_id: await server.deviceId('V-b2u1'), until_ms: 2_000 }
  await server.db
    .insertInto('telemetry_finding')
    .values([
      { ...found, since_ms: 1_000 },
      { ...ended, since_ms: 1_000 },
    ])
    .execute()
  expect(await select({ rules: ['frozen', 'range'] })).toEqual({ rows: ['V-b2u2 70'], total: 1 })
  expect(await select({ rules: ['frozen'], presence: ['present'] })).toEqual({
    rows: ['V-b2u2 70'],
    total: 1,
  })
  expect(await select({ rules: ['range'] })).toEqual({ rows: [], total: 0 })
  expect(await select({ rules: ['frozen'] }, east)).toBe('access.denied')
})

test('of devices given by id, those outside the grants and unknown ones are left out', async () => {
  const ids = await Promise.all(['V-b3u1', 'V-b10u1', 'V-b2u1'].map((serial) => server.deviceId(serial)))
  const filter = [{ field: 'id', cond: 'in', vstd: `${ids.join()},999999999999999` }]
  expect(await select({ filter }, east)).toEqual({ rows: ['V-b2u1 40', 'V-b10u1 20'], total: 2 })
})

test.each([
  [{ field: 'command_rev', cond: 'eq', vstd: 1 }, 'filter.unknown-field'],
  [{ field: 'valve.opening', cond: 'like', vstd: '4' }, 'request.malformed'],
  [{ field: 'valve.opening', cond: 'eq', vstd: '' }, 'request.malformed'],
  [{ field: 'valve.opening', cond: 'eq' }, 'request.malformed'],
  [{ field: 'imei', cond: 'regex', vrex: '(' }, 'filter.bad-pattern'],
])('%o is refused as %s', async (item, code) => {
  expect(await select({ filter: [item] })).toBe(code)
})

test('§7 Dev/GetThreeSelectNewRealDevOrderBy: by a metric either way, those without it last', async () => {
  const groupId = await server.nodeId('s1')
  expect(await select({ groupId, orderBy: 'valve.opening' })).toEqual({
    rows: ['V-b10u1 20', 'V-b2u1 40', 'V-b2u2 70', 'V-b10u2 -'],
    total: 4,
  })
  expect(await select({ groupId, orderBy: 'valve.opening', desc: true })).toEqual({
    rows: ['V-b2u2 70', 'V-b2u1 40', 'V-b10u1 20', 'V-b10u2 -'],
    total: 4,
  })
})

test('ordered by a column, page by page', async () => {
  const read = (page: number, desc: boolean) => select({ orderBy: 'imei', desc, limiter: { page, size: 2 } })
  expect(await read(1, false)).toEqual({ rows: ['V-b10u1 20', 'V-b10u2 -'], total: 6 })
  expect(await read(3, true)).toEqual({ rows: ['V-b10u2 -', 'V-b10u1 20'], total: 6 })
  expect(await select({ orderBy: 'password', desc: true })).toBe('filter.unknown-field')
})

test('a page ordered by a metric is cut after the ordering', async () => {
  const ordered = { orderBy: 'valve.opening', desc: true }
  expect(await select({ ...ordered, limiter: { page: 2, size: 2 } })).toMatchObject({
    rows: ['V-b10u1 20', expect.stringContaining(' -')],
    total: 6,
  })
})

test('a page too deep to be ranked is refused, and a page behind the last one is empty', async () => {
  const deep = { limiter: { page: 1_000_000, size: 1_000 } }
  expect(await select({ orderBy: 'valve.opening', ...deep })).toBe('filter.too-wide')
  expect(await select({ orderBy: 'imei', ...deep })).toEqual({ rows: [], total: 6 })
})

test('with a condition on newest values the requested order stays, page by page, and the total counts matches', async () => {
  const filter = [{ field: 'valve.opening', cond: 'ge', vstd: 20 }]
  const read = (page: number, order: object) => select({ filter, ...order, limiter: { page, size: 2 } })
  expect(await read(1, {})).toEqual({ rows: ['V-b2u1 40', 'V-b2u2 70'], total: 3 })
  expect(await read(2, {})).toEqual({ rows: ['V-b10u1 20'], total: 3 })
  expect(await read(1, { orderBy: 'imei', desc: true })).toEqual({
    rows: ['V-b2u2 70', 'V-b2u1 40'],
    total: 3,
  })
  expect(await read(2, { orderBy: 'valve.opening' })).toEqual({ rows: ['V-b2u2 70'], total: 3 })
  const like = [...filter, { field: 'imei', cond: 'like', vstd: 'b2' }]
  expect(await select({ filter: like, orderBy: 'valve.opening', desc: true })).toEqual({
    rows: ['V-b2u2 70', 'V-b2u1 40'],
    total: 2,
  })
})

test('only granted devices are selected, and a foreign project is not found', async () => {
  expect(await select({}, east)).toMatchObject({ total: 4 })
  expect(await select({ groupId: await server.nodeId('s2') }, east)).toBe('node.not-found')
  // The project is above the granted nodes.
  expect(await select({ projectId: await server.nodeId('p') }, east)).toMatchObject({ total: 4 })
})

test('§7 Dev/ZgetDataLastFromPrjTree: devices come by the node they stand on, in tree order', async () => {
  const input = { nodes: [await server.nodeKey('a1')], kinds: ['valve', 'concentrator'] }
  const { data } = await server.call(endpoints.getDataLastFromPrjTree, input, east)
  const { datalist, total } = endpoints.getDataLastFromPrjTree.output.parse(data)
  expect(total).toBe(6)
  expect(
    datalist.map(({ label, level, nestaddr, devices }) => [label, level, nestaddr, devices.map(toRow)]),
  ).toEqual([
    ['二号楼', 6, '集团,公司,一号站,东区,二号楼', ['C-b2 -']],
    ['1单元', 7, '集团,公司,一号站,东区,二号楼,1单元', ['V-b2u1 40']],
    ['2单元', 7, '集团,公司,一号站,东区,二号楼,2单元', ['V-b2u2 70']],
    ['十号楼', 6, '集团,公司,一号站,东区,十号楼', ['C-b10 -']],
    ['1单元', 7, '集团,公司,一号站,东区,十号楼,1单元', ['V-b10u1 20']],
    ['2单元', 7, '集团,公司,一号站,东区,十号楼,2单元', ['V-b10u2 -']],
  ])
})

test('§7 Dev/RbacGetDataLastFromLeafs: devices on leafs and devices by themselves, each once', async () => {
  const leaf = `${await server.nodeKey('b2')}-L1-1单元`
  const deviceIds = [await server.deviceId('V-b2u1'), await server.deviceId('V-b10u1')]
  const read = async (input: object) => {
    const answer = await server.call(endpoints.rbacGetDataLastFromLeafs, input, east)
    if (answer.code !== undefined) return answer.code
    return endpoints.rbacGetDataLastFromLeafs.output.parse(answer.data).datalist.map(toRow)
  }
  expect(await read({ nodes: [leaf], deviceIds, kinds })).toEqual(['V-b2u1 40', 'V-b10u1 20'])
  expect(await read({ nodes: [leaf] })).toEqual(['V-b2u1 40', 'R-b2u1 -'])
  expect(await read({ deviceIds: [await server.deviceId('V-b3u1')] })).toBe('device.not-found')
  expect(await read({})).toBe('request.malformed')
})

test('devices given by id come after those on the leafs, page by page', async () => {
  const leaf = `${await server.nodeKey('b2')}-L1-1单元`
  const serials = ['V-b2u1', 'V-b10u1', 'V-b10u2']
  const deviceIds = await Promise.all(serials.map((serial) => server.deviceId(serial)))
  const read = async (page: number) => {
    const input = { nodes: [leaf], deviceIds, limiter: { page, size: 2 } }
    const { data } = await server.call(endpoints.rbacGetDataLastFromLeafs, input, east)
    const { datalist, total } = endpoints.rbacGetDataLastFromLeafs.output.parse(data)
    return [datalist.map(toRow), total]
  }
  expect(await read(1)).toEqual([['V-b2u1 40', 'R-b2u1 -'], 4])
  expect(await read(2)).toEqual([['V-b10u1 20', 'V-b10u2 -'], 4])
  expect(await read(3)).toEqual([[], 4])
})

test('a retired device has no newest values', async () => {
  const id = await server.deviceId('V-b3u1')
  await server.db.updateTable('device').set({ retired_at: new Date() }).where('id', '=', id).execute()
  expect(await select({ groupId: await server.nodeId('s2') })).toEqual({ rows: ['V-b3u2 -'], total: 1 })
  await toSignal('registry_changed', `ids:${id}`).execute(server.db)
  const ranked = await vi.waitFor(
    async () => {
      const found = await select({ groupId: await server.nodeId('s2'), orderBy: 'valve.opening' })
      expect(found).toMatchObject({ total: 1 })
      return found
    },
    { timeout: 30_000 },
  )
  expect(ranked).toMatchObject({ rows: ['V-b3u2 -'] })
})
