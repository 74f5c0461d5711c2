import { permissions } from '@isotherm/contract/access/permissions'
import { toImei } from '@isotherm/kernel/imei'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import type { NewDevice } from './add-device.pg.ts'

let core: TestCore
let modelId: number
let count = 0

beforeAll(async () => {
  core = await createTestCore()
  const added = { kind: 'heat-meter', name: 'H1', maker: '', description: '' } as const
  modelId = (await core.devices.models.add(byWhole(), added)).id
})
afterAll(() => core.close())

const everything = new Set(permissions)
const by = (given: Partial<Caller> = {}): Call => createTestCall({ permissions: everything, ...given })
const byWhole = (): Call => by()
const granted = async (...keys: string[]): Promise<Call> =>
  by({ companyId: 1, scope: { kind: 'paths', paths: await Promise.all(keys.map(core.pathOf)) } })

async function toNew(given: Partial<NewDevice>): Promise<NewDevice> {
  count += 1
  return {
    kind: 'heat-meter',
    imei: `E-${count}`,
    name: `热表${count}`,
    modelId,
    node: await core.nodeKey('b2'),
    periodS: 900,
    description: '',
    ...given,
  }
}
const add = async (given: Partial<NewDevice> = {}) => core.devices.changes.add(byWhole(), await toNew(given))
const never = async () => undefined
const itemOf = async (serial: string) => {
  const device = await core.devices.service.getDevice({ kind: 'all' }, await core.deviceId(serial))
  return { id: device.id, version: device.version }
}
/** The error of a failed call; undefined if it succeeded. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    ({ code, params }: { code?: unknown; params?: unknown }) => ({ code, params }),
  )

test('an added device is listed, and the directory has it', async () => {
  const device = await add({ meterNo: 'M0001', concentratorId: await core.deviceId('C-b2') })
  expect(device).toMatchObject({ concentrator: 'C-b2', model: 'H1', use: 'in-use', version: 1 })
  expect(device.abilities).toEqual(['edit', 'remove'])
  await expect.poll(() => core.devices.directory.find('demo', device.imei)?.id).toBe(device.id)
})

test('serial, IMEI and meter number are unique, and the error names the field', async () => {
  const radioImei = toImei('86123456789012')
  const device = await add({ meterNo: 'M0002', radioImei })
  expect(await errorOf(add({ imei: device.imei }))).toEqual({
    code: 'entity.taken',
    params: { field: 'imei' },
  })
  expect(await errorOf(add({ radioImei }))).toEqual({ code: 'entity.taken', params: { field: 'radioImei' } })
  expect(await errorOf(add({ meterNo: 'M0002' }))).toEqual({
    code: 'entity.taken',
    params: { field: 'meterNo' },
  })
})

test('only meters have a meter number, only valves have limits, and a model fits one kind', async () => {
  const [valveModel] = await core.devices.models.list(byWhole().caller, 'valve')
  if (!valveModel) throw new Error('no model of valves')
  const valve = { kind: 'valve', modelId: valveModel.id } as const
  expect(await errorOf(add({ ...valve, meterNo: 'M0003' }))).toEqual({
    code: 'device.wrong-kind',
    params: { kind: 'valve', field: 'meterNo' },
  })
  expect(await errorOf(add({ limits: { minPct: 0, maxPct: 50 } }))).toEqual({
    code: 'device.wrong-kind',
    params: { kind: 'heat-meter', field: 'limits' },
  })
  expect(await errorOf(add({ kind: 'valve' }))).toEqual({
    code: 'device.bad-model',
    params: { model: 'H1', kind: 'valve' },
  })
  expect((await add({ ...valve, limits: { minPct: 5, maxPct: 50 } })).limits).toEqual({
    minPct: 5,
    maxPct: 50,
  })
})

test('a device reports through a concentrator in use, never through another device', async () => {
  const concentratorId = await core.deviceId('V-b2u1')
  expect(await errorOf(add({ concentratorId }))).toEqual({ code: 'device.bad-concentrator', params: {} })
})

test('of two changes of one version the second is refused with the first change', async () => {
  const { id, version } = await add()
  await core.devices.changes.changeOne(byWhole(), { id, version }, { name: '新名' })
  const later = core.devices.changes.changeOne(byWhole(), { id, version }, { periodS: 60 })
  expect(await errorOf(later)).toEqual({
    code: 'entity.stale',
    params: expect.objectContaining({ fields: 'name' }),
  })
})

test('§7 UpdateBatchDev changes all of the devices or none', async () => {
  const [first, second] = [await add(), await add()]
  const items = [first, { ...second, version: 7 }]
  expect(await errorOf(core.devices.changes.change(byWhole(), items, { periodS: 60 }))).toMatchObject({
    code: 'entity.stale',
  })
  const unchanged = await core.devices.service.getDevice({ kind: 'all' }, first.id)
  expect(unchanged).toMatchObject({ periodS: 900, version: 1 })
  const changed = await core.devices.changes.change(byWhole(), [first, second], { periodS: 60 })
  expect(changed.map(({ id, periodS, version }) => [id, periodS, version])).toEqual([
    [first.id, 60, 2],
    [second.id, 60, 2],
  ])
})

test('a call that names a device twice is refused', async () => {
  const device = await add()
  const twice = core.devices.changes.change(byWhole(), [device, device], { periodS: 60 })
  expect(await errorOf(twice)).toMatchObject({ code: 'request.malformed' })
})

test('a device moves only between nodes inside the grants', async () => {
  const { id, version, imei } = await add()
  const node = await core.nodeKey('b3')
  const move = async (call: Call) => core.devices.changes.changeOne(call, { id, version }, { node })
  expect(await errorOf(move(await granted('s1')))).toEqual({ code: 'node.not-found', params: {} })
  expect(await errorOf(move(await granted('s2')))).toEqual({ code: 'device.not-found', params: {} })
  const path = `${await core.pathOf('b2')}d${id}/`
  const alone = by({ companyId: 1, scope: { kind: 'paths', paths: [path, await core.pathOf('s2')] } })
  expect(await errorOf(move(alone))).toEqual({ code: 'node.not-found', params: {} })
  expect((await move(await granted('s1', 's2'))).node).toBe(node)
  const placed = `${await core.pathOf('b3')}d${id}/`
  await expect.poll(() => core.devices.directory.find('demo', imei)?.path).toBe(placed)
})

test('only callers with the page of its kind change a device', async () => {
  const device = await add()
  const call = by({ permissions: new Set(['pd-fmdevmanager']) })
  expect(await errorOf(core.devices.changes.changeOne(call, device, { name: 'x' }))).toEqual({
    code: 'access.denied',
    params: {},
  })
})

test('a retired device leaves lists and directory, keeps its row, and can come back', async () => {
  const device = await add()
  const retired = await core.devices.changes.changeOne(byWhole(), device, { use: 'retired' })
  expect(retired).toMatchObject({ use: 'retired', retiredAt: 0 })
  await expect.poll(() => core.devices.directory.findById(device.id)).toBeUndefined()
  const page = { page: 1, size: 1_000 }
  const listed = await core.devices.service.listDevices({ kind: 'all' }, ['/'], ['heat-meter'], page)
  expect(listed.datalist.map(({ id }) => id)).not.toContain(device.id)
  expect(await errorOf(core.devices.changes.changeOne(byWhole(), retired, { name: 'x' }))).toMatchObject({
    code: 'device.retired',
  })
  const back = await core.devices.changes.changeOne(byWhole(), retired, { use: 'in-use' })
  expect(back.retiredAt).toBeUndefined()
  await expect.poll(() => core.devices.directory.findById(device.id)).toBeDefined()
})

test('a concentrator with devices behind it is neither retired nor removed', async () => {
  const item = await itemOf('C-b2')
  expect(await errorOf(core.devices.changes.changeOne(byWhole(), item, { use: 'retired' }))).toMatchObject({
    code: 'entity.in-use',
  })
  expect(await errorOf(core.devices.changes.remove(byWhole(), [item], never))).toEqual({
    code: 'entity.in-use',
    params: { entity: 'device' },
  })
})

test('a concentrator is retired together with the devices behind it, and they come back together', async () => {
  const serials = ['C-b2', 'V-b2u1', 'R-b2u1', 'V-b2u2', 'R-b2u2']
  const items = await Promise.all(serials.map(itemOf))
  const behind = await core.db
    .selectFrom('device')
    .select('id')
    .where('concentrator_id', '=', items[0]?.id ?? 0)
    .execute()
  const known = new Set(items.map(({ id }) => id))
  const others = behind.filter(({ id }) => !known.has(id)).map(({ id }) => ({ id, version: 1 }))
  const retired = await core.devices.changes.change(byWhole(), [...items, ...others], { use: 'retired' })
  const alone = core.devices.changes.change(byWhole(), retired.slice(1, 2), { use: 'in-use' })
  expect(await errorOf(alone)).toEqual({
    code: 'device.bad-concentrator',
    params: {},
  })
  const back = await core.devices.changes.change(byWhole(), retired, { use: 'in-use' })
  expect(new Set(back.map(({ use }) => use))).toEqual(new Set(['in-use']))
})

test('a device that has reported is not removed; one added by mistake is, and frees its serial', async () => {
  const device = await add()
  expect(
    await errorOf(core.devices.changes.remove(byWhole(), [device], async () => device.id)),
  ).toMatchObject({
    code: 'entity.in-use',
  })
  expect(await core.devices.changes.remove(byWhole(), [device], never)).toEqual([device.id])
  await expect(core.devices.service.getDevice({ kind: 'all' }, device.id)).rejects.toMatchObject({
    code: 'device.not-found',
  })
  expect((await add({ imei: device.imei })).imei).toBe(device.imei)
})

test('a replacement gets place, limits, groups, grants and devices behind it; the old device keeps its history', async () => {
  const item = await itemOf('C-b10')
  const accountId = await core.createAccount('fitter', [], [])
  await core.db.insertInto('account_device').values({ account_id: accountId, device_id: item.id }).execute()
  const { device, replaced } = await core.devices.changes.replace(byWhole(), { ...item, imei: 'C-new' })
  expect(replaced).toMatchObject({ imei: 'C-b10', use: 'retired', replacedBy: device.id })
  expect(device).toMatchObject({
    imei: 'C-new',
    name: 'C-b10',
    node: await core.nodeKey('b10'),
    use: 'in-use',
  })
  const grants = await core.db.selectFrom('account_device').selectAll().execute()
  expect(grants).toEqual([{ account_id: accountId, device_id: device.id }])
  await vi.waitFor(
    () => {
      const valve = core.devices.directory.find('demo', 'V-b10u1')
      expect(valve && core.devices.directory.gatewayOf(valve)).toBe('C-new')
    },
    { timeout: 30_000 },
  )
  const again = core.devices.changes.replace(byWhole(), { ...replaced, imei: 'C-newer' })
  expect(await errorOf(again)).toMatchObject({ code: 'device.retired' })
})

test('a radio that moves into the new device takes its IMEI along', async () => {
  const radioImei = toImei('86123456780000')
  const old = await add({ radioImei, meterNo: 'M0009' })
  const { device, replaced } = await core.devices.changes.replace(byWhole(), {
    id: old.id,
    version: old.version,
    imei: 'E-next',
    radioImei,
    meterNo: 'M0010',
  })
  expect([device.radioImei, device.meterNo]).toEqual([radioImei, 'M0010'])
  expect([replaced.radioImei, replaced.meterNo]).toEqual([undefined, 'M0009'])
})

test('the log has every change with the values before and after', async () => {
  const device = await add()
  await core.devices.changes.changeOne(byWhole(), device, { periodS: 60 })
  const changes = await core.db
    .selectFrom('operation_change')
    .select(['action', 'before', 'after', 'version'])
    .where('entity', '=', 'device')
    .where('entity_id', '=', String(device.id))
    .orderBy('id')
    .execute()
  expect(changes.map(({ action, version }) => [action, version])).toEqual([
    ['added', 1],
    ['changed', 2],
  ])
  expect(changes[1]).toMatchObject({ before: { period_s: 900 }, after: { period_s: 60 } })
})

test('a command to a valve does not make an edit stale', async () => {
  const item = await itemOf('V-b2u2')
  await core.db
    .updateTable('device')
    .set({ last_open_set_pct: 30, last_open_set_at: new Date(0) })
    .where('id', '=', item.id)
    .execute()
  const changed = await core.devices.changes.changeOne(byWhole(), item, { description: '井' })
  expect(changed.lastOpenSet).toEqual({ openingPct: 30, at: 0 })
})

test('only provider staff changes a shared model, and only an unused model is removed', async () => {
  const { caller } = await granted('p')
  const models = await core.devices.models.list(caller, 'heat-meter')
  expect(models.map(({ name, abilities }) => [name, abilities])).toEqual([['H1', []]])
  const [model] = await core.devices.models.list(byWhole().caller, 'heat-meter')
  if (!model) throw new Error('the model is gone')
  expect(model.abilities).toEqual(['edit', 'remove'])
  const refused = core.devices.models.change({ ...byWhole(), caller }, { ...model, name: 'H2' })
  expect(await errorOf(refused)).toEqual({ code: 'access.denied', params: {} })
  expect(await errorOf(core.devices.models.remove(byWhole(), model))).toMatchObject({ code: 'entity.in-use' })
  const renamed = await core.devices.models.change(byWhole(), { ...model, name: 'H2' })
  expect(renamed).toMatchObject({ name: 'H2', version: model.version + 1 })
  expect((await add()).model).toBe('H2')
})

test('simultaneous moves of devices behind a concentrator and its replacement are serialized', async () => {
  const target = await itemOf('C-b3')
  const device = await add({ node: await core.nodeKey('b3') })
  const outcomes = await Promise.all([
    errorOf(core.devices.changes.changeOne(byWhole(), device, { concentratorId: target.id })),
    errorOf(core.devices.changes.replace(byWhole(), { ...target, imei: 'C-b3-new' })),
  ])
  expect(outcomes[1]).toBeUndefined()
  const after = await core.devices.service.getDevice({ kind: 'all' }, device.id)
  // Either the device moved to the new concentrator with the others, or its move was refused because the old one was retired.
  if (outcomes[0] === undefined) expect(after.concentrator).toBe('C-b3-new')
  else
    expect([outcomes[0], after.concentrator]).toEqual([
      { code: 'device.bad-concentrator', params: {} },
      undefined,
    ])
})
