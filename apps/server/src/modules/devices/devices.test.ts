import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scope, scopeOfEverything } from '../../platform/scope/scope.ts'
import { signalRegistry } from '../../platform/signals/registry-signal.pg.ts'
import { createRegistry, createTestCore, type TestCore } from '../../testing/core.testkit.ts'
import { importRegistry } from './import/import-registry.testkit.ts'
import { parseRegistryFile } from './import/import-registry.ts'
import { raiseCommandRevs } from './index.ts'
import { toAbilities } from './policy.ts'

let core: TestCore
let onlySecondStation: Scope

beforeAll(async () => {
  core = await createTestCore()
  onlySecondStation = { kind: 'paths', paths: [await core.pathOf('s2')] }
})
afterAll(() => core.close())

const limiter = { page: 1, size: 100 }

test('devices come in tree order with their place and limits', async () => {
  const { datalist, total } = await core.devices.service.listDevices(
    scopeOfEverything,
    ['/'],
    ['valve'],
    limiter,
  )
  expect(total).toBe(6)
  expect(datalist.map(({ imei }) => imei)).toEqual([
    'V-b2u1',
    'V-b2u2',
    'V-b10u1',
    'V-b10u2',
    'V-b3u1',
    'V-b3u2',
  ])
  expect(datalist[0]).toEqual({
    id: await core.deviceId('V-b2u1'),
    imei: 'V-b2u1',
    kind: 'valve',
    name: 'V-b2u1',
    model: 'T1',
    node: `${await core.nodeKey('b2')}-L1-1单元`,
    nestaddr: '集团,公司,一号站,东区,二号楼,1单元',
    concentrator: 'C-b2',
    concentratorId: await core.deviceId('C-b2'),
    periodS: 60,
    curve: { source: 'assumed', kind: 'equal-percentage' },
    limits: { minPct: 10, maxPct: 90 },
    description: '',
    use: 'in-use',
    version: 2,
    abilities: [],
  })
})

test('a page has its rows and the number of rows on all pages', async () => {
  const second = { page: 2, size: 4 }
  const { datalist, total } = await core.devices.service.listDevices(
    scopeOfEverything,
    ['/'],
    ['valve'],
    second,
  )
  expect([datalist.map(({ imei }) => imei), total]).toEqual([['V-b3u1', 'V-b3u2'], 6])
  expect((await core.devices.service.listDeviceIds(scopeOfEverything, ['/'], ['valve'], second)).ids).toEqual(
    datalist.map(({ id }) => id),
  )
})

test('paths outside the scope list nothing', async () => {
  const paths = [await core.pathOf('s1')]
  const { total } = await core.devices.service.listDevices(onlySecondStation, paths, ['valve'], limiter)
  expect(total).toBe(0)
})

test('devices by id keep the given order, and a foreign one is not found', async () => {
  const own = [await core.deviceId('V-b3u2'), await core.deviceId('V-b3u1')]
  const found = await core.devices.service.getDevices(onlySecondStation, own)
  expect(found.map(({ id }) => id)).toEqual(own)
  const foreign = [...own, await core.deviceId('V-b2u1')]
  await expect(core.devices.service.getDevices(onlySecondStation, foreign)).rejects.toMatchObject({
    code: 'device.not-found',
  })
})

test('only a valve can be controlled, and only with the permission', () => {
  const may = { permissions: new Set(['pe-fmcontrol'] as const) }
  expect(toAbilities(may, 'valve')).toEqual(['control'])
  expect(toAbilities(may, 'heat-meter')).toEqual([])
  expect(toAbilities(may, 'valve', 'retired')).toEqual([])
  expect(toAbilities({ permissions: new Set(['pe-fmreal'] as const) }, 'valve')).toEqual([])
})

test('only callers with the page of its kind may change a device', () => {
  const meters = { permissions: new Set(['pd-caldevmanager'] as const) }
  expect(toAbilities(meters, 'heat-meter')).toEqual(['edit', 'remove'])
  expect(toAbilities(meters, 'valve')).toEqual([])
})

test('the directory follows changes of the registry', async () => {
  const file = createRegistry('later')
  expect(core.devices.directory.find('later', 'V-b2u1')).toBeUndefined()
  await importRegistry(core.db, file)
  await expect.poll(() => core.devices.directory.find('later', 'V-b2u1')).toBeDefined()
  const valve = core.devices.directory.find('later', 'V-b2u1')
  if (!valve) throw new Error('gone again')
  expect(core.devices.directory.gatewayOf(valve)).toBe('C-b2')
  expect(core.devices.directory.findById(valve.id)).toBe(valve)
  expect(core.devices.directory.find('demo', 'V-b2u1')?.id).not.toBe(valve.id)
})

test('devices of a moved subtree are found at its new place', async () => {
  const [from, to] = [await core.pathOf('b2'), `${await core.pathOf('a2')}${await core.nodeId('b2')}/`]
  const move = (before: string, now: string) =>
    core.db.transaction().execute(async (transaction) => {
      await sql`
        update node set path = ${now} || substr(path, ${before.length + 1}::int)
        where path like ${`${before}%`}`.execute(transaction)
      await signalRegistry(transaction, { kind: 'below', paths: [now] })
    })
  const valve = core.devices.directory.find('demo', 'V-b2u1')
  const path = () => core.devices.directory.find('demo', 'V-b2u1')?.path
  await move(from, to)
  await expect.poll(() => path()).toBe(valve?.path.replace(from, to))
  await move(to, from)
  await expect.poll(() => path()).toBe(valve?.path)
})

test('each command revision is used once, also with simultaneous callers', async () => {
  const id = await core.deviceId('V-b3u1')
  const taken = await Promise.all(Array.from({ length: 8 }, () => raiseCommandRevs(core.db, [id])))
  expect(taken.map((revs) => revs.get(id)).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test.each([
  ['a device on an unknown node', { node: 'nowhere' }, 'no node'],
  ['an unknown concentrator', { concentrator: 'C-none' }, 'no concentrator'],
  ['a valve as concentrator', { concentrator: 'V-b2u2' }, 'no concentrator'],
  ['a serial used twice', { serial: 'V-b2u2' }, 'twice'],
])('a file with %s is refused', async (_what, change, words) => {
  const file = createRegistry()
  const devices = file.devices.map((device) =>
    device.serial === 'V-b2u1' ? { ...device, ...change } : device,
  )
  await expect(importRegistry(core.db, { ...file, devices })).rejects.toThrow(words)
})

test.each(['{', '[]', '{"v":2}'])('the text %s is not a registry file', (text) => {
  expect(() => parseRegistryFile(text)).toThrow('registry file')
})
