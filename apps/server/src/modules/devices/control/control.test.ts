import { type Permission, permissions } from '@isotherm/contract/access/permissions'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { controlDevice, rbacInsertCtlDev } from '@isotherm/contract/endpoints/devices/control-devices'
import { deviceGroup } from '@isotherm/contract/endpoints/devices/device-groups'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRegistry } from '../../../testing/core.testkit.ts'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { importRegistry } from '../import/import-registry.testkit.ts'

let server: TestServer
const tokens = new Map<string, string>()

const signIn = async (account: string) => {
  tokens.set(account, (await server.logIn(account))['ht-api'])
}

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('whole', permissions, [], 'provider')
  const managing: readonly Permission[] = ['pd-fmdevmanager', 'pg-groupmanage', 'pe-fmcontrol']
  await server.createAccount('east', managing, ['a1'])
  await server.createAccount('watcher', ['pe-fmreal', 'pg-groupctl'], ['a1'])
  const single = await server.createAccount('single', managing, [])
  const device_id = await server.deviceId('V-b2u1')
  await server.db.insertInto('account_device').values({ account_id: single, device_id }).execute()
  for (const account of ['whole', 'east', 'watcher', 'single']) await signIn(account)
})
afterEach(async () => {
  await server.db.deleteFrom('control_device').execute()
  await server.db.deleteFrom('device_group').execute()
})
afterAll(() => server.stop())

const call = (account: string, name: keyof typeof endpoints, input: unknown) =>
  server.call(endpoints[name], input, tokens.get(account))

async function add(account: string, serial: string, key: string, given: object = {}) {
  const place = { deviceId: await server.deviceId(serial), node: await server.nodeKey(key) }
  return call(account, 'insertCtlDev', { ...place, purpose: 'supply', name: '东区总阀', ...given })
}

const list = async (account: string) => {
  const { data } = await call(account, 'getCtlDev', { filter: [] })
  return endpoints.getCtlDev.output.parse(data).datalist
}

async function addGroup(account: string, serials: readonly string[], name = '早班') {
  const deviceIds = await Promise.all(serials.map((serial) => server.deviceId(serial)))
  return call(account, 'insertCtlGroup', { name, deviceIds })
}

const listGroups = async (account: string) => {
  const { data } = await call(account, 'getCtlGroup', {})
  return endpoints.getCtlGroup.output.parse(data).datalist
}

const listChanges = async (entity: string) => {
  const rows = await server.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .select(['operation.endpoint', 'action', 'before', 'after'])
    .where('entity', '=', entity)
    .orderBy('operation_change.id')
    .execute()
  return rows.slice(-1)
}

test('a valve controls another node, once for each purpose, and the answer has the caller’s abilities', async () => {
  const { data, code } = await add('east', 'V-b2u1', 'a1')
  expect(code).toBeUndefined()
  const added = controlDevice.parse(data)
  expect(added).toMatchObject({
    imei: 'V-b2u1',
    node: await server.nodeKey('a1'),
    nestaddr: '集团,公司,一号站,东区',
    enabled: true,
    version: 1,
    abilities: ['edit', 'remove', 'control'],
  })
  const again = await add('east', 'V-b2u1', 'a1')
  expect([again.code, again.text]).toEqual(['entity.taken', 'This purpose is already in use'])
  expect((await add('east', 'V-b2u1', 'a1', { purpose: 'return' })).code).toBeUndefined()
  expect((await list('watcher')).map(({ abilities }) => abilities)).toEqual([[], []])
})

test.each([
  ['R-b2u1', 'supply'],
  ['C-b2', 'supply'],
  ['V-b2u1', 'pump'],
])('%s does not serve as %s', async (serial, purpose) => {
  expect((await add('whole', serial, 'a1', { purpose })).code).toBe('device.not-controllable')
})

test('a retired valve cannot become a control device', async () => {
  const id = await server.deviceId('V-b3u2')
  await server.db.updateTable('device').set({ retired_at: new Date() }).where('id', '=', id).execute()
  expect((await add('whole', 'V-b3u2', 'b3')).code).toBe('device.not-controllable')
})

test('a foreign device or node cannot be combined with an own one', async () => {
  expect((await add('east', 'V-b3u1', 'a1')).code).toBe('device.not-found')
  expect((await add('east', 'V-b2u1', 'a2')).code).toBe('node.not-found')
})

test('control devices with a foreign device or node are not listed', async () => {
  await add('whole', 'V-b2u1', 'a2')
  await add('whole', 'V-b3u1', 'a1')
  expect(await list('east')).toEqual([])
  expect(await list('whole')).toHaveLength(2)
})

test('§7 Rbac/InsertCtlDev: a caller who is granted a single device makes it control its own node, no other', async () => {
  const deviceId = await server.deviceId('V-b2u1')
  expect((await add('single', 'V-b2u1', 'b2u1')).code).toBe('node.not-found')
  const { data } = await call('single', 'rbacInsertCtlDev', { items: [{ deviceId, purpose: 'supply' }] })
  const [made] = rbacInsertCtlDev.output.parse(data).datalist
  expect(made).toMatchObject({
    name: 'V-b2u1',
    node: `${await server.nodeKey('b2')}-L1-1单元`,
    abilities: ['edit', 'remove', 'control'],
  })
  await add('whole', 'V-b2u1', 'a2')
  expect((await list('single')).map(({ id }) => id)).toEqual([made?.id])
  const gone = { items: [{ id: made?.id, version: made?.version }] }
  expect((await call('single', 'rbacDeleteCtlDev', gone)).code).toBeUndefined()
  expect(await list('single')).toEqual([])
})

test('several control devices are added together or not at all', async () => {
  const [valve, sensor] = [await server.deviceId('V-b2u1'), await server.deviceId('R-b2u1')]
  const items = [valve, sensor].map((deviceId) => ({ deviceId, purpose: 'supply' }))
  expect((await call('east', 'rbacInsertCtlDev', { items })).code).toBe('device.not-controllable')
  expect(await list('east')).toEqual([])
})

test('a control device is renamed, disabled and moved, and the log has its earlier values', async () => {
  const { id, version } = controlDevice.parse((await add('east', 'V-b2u1', 'a1')).data)
  const changed = { id, version, name: '支路', enabled: false, node: await server.nodeKey('b10') }
  const { data } = await call('east', 'updateCtlDev', changed)
  expect(controlDevice.parse(data)).toMatchObject({ name: '支路', enabled: false, version: 2 })
  const [before, after] = [await server.nodeId('a1'), await server.nodeId('b10')]
  expect(await listChanges('control-device')).toEqual([
    {
      endpoint: 'updateCtlDev',
      action: 'changed',
      before: { node_id: before, name: '东区总阀', enabled: true },
      after: { node_id: after, name: '支路', enabled: false },
    },
  ])
  const late = await call('east', 'updateCtlDev', { id, version, name: '旧' })
  expect([late.code, late.text]).toEqual([
    'entity.stale',
    'control device has just been changed by east (name, enabled, node). Reload and try again',
  ])
})

test('several are removed together, or not at all when one has changed', async () => {
  const first = controlDevice.parse((await add('east', 'V-b2u1', 'a1')).data)
  const other = controlDevice.parse((await add('east', 'V-b2u2', 'a1')).data)
  const items = [
    { id: first.id, version: 1 },
    { id: other.id, version: 2 },
  ]
  expect((await call('east', 'deleteCtlDev', { items })).code).toBe('entity.stale')
  expect(await list('east')).toHaveLength(2)
})

test('C15: a valve whose control devices are all disabled takes no commands', async () => {
  const order = { targets: [{ deviceId: await server.deviceId('V-b2u1'), openingPct: 50 }], reason: '' }
  const first = controlDevice.parse((await add('east', 'V-b2u1', 'a1', { enabled: false })).data)
  expect((await call('east', 'publishMqCtlCmd', order)).code).toBe('device.not-controllable')
  await call('east', 'updateCtlDev', { id: first.id, version: first.version, enabled: true })
  expect((await call('east', 'publishMqCtlCmd', order)).code).toBeUndefined()
})

test('control devices are filtered by node and purpose', async () => {
  await add('whole', 'V-b2u1', 'a1')
  await add('whole', 'V-b3u1', 'a2', { enabled: false })
  const find = async (filter: object) => {
    const { data } = await call('whole', 'getCtlDev', { filter: [filter] })
    return endpoints.getCtlDev.output.parse(data).datalist.map(({ imei }) => imei)
  }
  expect(await find({ field: 'enabled', cond: 'eq', vstd: 'false' })).toEqual(['V-b3u1'])
  expect(await find({ field: 'nestaddr', cond: 'regex', vrex: '一号站' })).toEqual(['V-b2u1'])
  const unknown = await call('whole', 'getCtlDev', { filter: [{ field: 'node_id', cond: 'eq', vstd: '1' }] })
  expect(unknown.code).toBe('filter.unknown-field')
})

test('a group holds devices from anywhere; callers see their granted part, and change it if that is the whole', async () => {
  const group = deviceGroup.parse((await addGroup('whole', ['V-b2u1', 'V-b3u1', 'R-b2u1'])).data)
  expect(group).toMatchObject({ valveCount: 2, version: 1, abilities: ['edit', 'remove', 'control'] })
  const [seen] = await listGroups('east')
  expect(seen).toMatchObject({
    deviceIds: [await server.deviceId('V-b2u1'), await server.deviceId('R-b2u1')].toSorted((a, b) => a - b),
    valveCount: 1,
    abilities: [],
  })
  const { id, version } = group
  expect((await call('east', 'updateCtlGroup', { id, version, name: '我的' })).code).toBe(
    'device-group.not-found',
  )
  expect((await call('east', 'publishMqCtlCmd', { groupId: id, openingPct: 50, reason: '' })).code).toBe(
    'device-group.not-found',
  )
})

test('group names are unique in a company', async () => {
  await addGroup('whole', ['V-b3u1'])
  const { code, text } = await addGroup('east', ['V-b2u1'])
  expect([code, text]).toEqual(['entity.taken', 'This name is already in use'])
})

test('a change of its devices raises the version of a group', async () => {
  const { id, version } = deviceGroup.parse((await addGroup('east', ['V-b2u1', 'V-b2u2'])).data)
  const deviceIds = [await server.deviceId('V-b2u2'), await server.deviceId('V-b10u1')]
  const { data } = await call('east', 'updateCtlGroup', { id, version, deviceIds })
  expect(deviceGroup.parse(data)).toMatchObject({
    deviceIds: deviceIds.toSorted((left, right) => left - right),
    version: 2,
  })
  expect((await call('east', 'deleteCtlGroup', { items: [{ id, version }] })).code).toBe('entity.stale')
  expect((await call('east', 'deleteCtlGroup', { items: [{ id, version: 2 }] })).code).toBeUndefined()
  expect(await listGroups('whole')).toEqual([])
})

test('a foreign device cannot join a group', async () => {
  expect((await addGroup('east', ['V-b2u1', 'V-b3u1'])).code).toBe('device.not-found')
})

test('C14: a command to a group goes to all its valves or to none', async () => {
  const { id } = deviceGroup.parse((await addGroup('east', ['V-b2u1', 'V-b2u2', 'R-b2u1'])).data)
  const { data } = await call('east', 'publishMqCtlCmd', { groupId: id, openingPct: 55, reason: '早班' })
  const { commands } = endpoints.publishMqCtlCmd.output.parse(data)
  expect(commands.map(({ deviceName, openingPct }) => [deviceName, openingPct])).toEqual([
    ['V-b2u1', 55],
    ['V-b2u2', 55],
  ])
  const beyond = await call('east', 'publishMqCtlCmd', { groupId: id, openingPct: 95, reason: '' })
  expect(beyond.code).toBe('command.outside-limits')
  const sensors = deviceGroup.parse((await addGroup('east', ['R-b2u1'], '室温')).data)
  const none = await call('east', 'publishMqCtlCmd', { groupId: sensors.id, openingPct: 50, reason: '' })
  expect([none.code, none.text]).toEqual(['device.not-controllable', '室温 cannot take this command'])
})

test('a command names either valves or a group', async () => {
  const { id } = deviceGroup.parse((await addGroup('east', ['V-b2u1'])).data)
  const targets = [{ deviceId: await server.deviceId('V-b2u1'), openingPct: 50 }]
  for (const order of [{}, { groupId: id }, { targets, groupId: id }, { targets, openingPct: 40 }]) {
    const { http, code } = await call('east', 'publishMqCtlCmd', { ...order, reason: '' })
    expect([http, code]).toEqual([400, 'request.malformed'])
  }
})

test('control devices and groups cannot mix two companies', async () => {
  await importRegistry(server.db, createRegistry('other'))
  const { id: foreign } = await server.db
    .selectFrom('device')
    .innerJoin('company', 'company.id', 'device.company_id')
    .select('device.id')
    .where('tenant', '=', 'other')
    .where('serial', '=', 'V-b2u1')
    .executeTakeFirstOrThrow()
  const node = await server.nodeKey('a1')
  const own = await server.db
    .selectFrom('device')
    .select('id')
    .where('id', '<>', foreign)
    .where('serial', '=', 'V-b2u1')
    .executeTakeFirstOrThrow()
  const group = await call('whole', 'insertCtlGroup', { name: '两家', deviceIds: [own.id, foreign] })
  expect(group.code).toBe('device-group.several-companies')
  const place = { deviceId: foreign, node, purpose: 'supply', name: '阀' }
  expect((await call('whole', 'insertCtlDev', place)).code).toBe('node.bad-place')
})
