import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Scope, scopeOfEverything } from '../../../platform/scope/scope.ts'
import { createRegistry, createTestCore, type TestCore } from '../../../testing/core.testkit.ts'

const AREAS = 120
let core: TestCore
let paths: readonly string[]

/** The small registry with many more residential areas: one building with one room sensor in each. */
function createWideRegistry() {
  const registry = createRegistry()
  for (let area = 1; area <= AREAS; area += 1) {
    registry.nodes.push({ key: `w${area}`, parent: 's2', kind: 'group', level: 5, name: `${area}区` })
    registry.nodes.push({ key: `w${area}b`, parent: `w${area}`, kind: 'sub-user', level: 6, name: '1号楼' })
    registry.devices.push({
      serial: `W-${area}`,
      kind: 'room-sensor',
      name: 'W',
      model: 'T1',
      node: `w${area}b`,
      concentrator: null,
      periodS: 60,
    })
  }
  return registry
}

beforeAll(async () => {
  core = await createTestCore({ registry: createWideRegistry() })
  const groups = await core.db.selectFrom('node').select('path').where('kind', '=', 'group').execute()
  paths = groups.map(({ path }) => path)
  // The directory is notified of the import by a signal.
  await vi.waitUntil(() => core.devices.directory.countBelow('/', ['room-sensor']) === AREAS + 6, {
    timeout: 30_000,
  })
})
afterAll(() => core.close())

async function countOneByOne(scope: Scope): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>()
  for (const path of paths) counted.set(path, (await core.devices.countDevices(scope, [path])).get(path) ?? 0)
  return counted
}

test('counts of many places in one call equal the counts of each place', async () => {
  expect(await core.devices.countDevices(scopeOfEverything, paths)).toEqual(
    await countOneByOne(scopeOfEverything),
  )
})

test('only devices in the scope are counted, also for places above the scope', async () => {
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('a1'), await core.pathOf('w7')] }
  const counts = await core.devices.countDevices(scope, paths)
  expect(counts).toEqual(await countOneByOne(scope))
  expect(counts.get(await core.pathOf('s2'))).toBe(1)
})

test('a page of a long list has the total of the selected kinds in the scope', async () => {
  const path = await core.pathOf('s2')
  const page = { page: 1, size: 10 }
  const { service } = core.devices
  const all = await service.listDevices(scopeOfEverything, [path], ['room-sensor'], page)
  expect([all.datalist.length, all.total]).toEqual([10, AREAS + 2])
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('w7')] }
  expect((await service.listDevices(scope, [path], ['room-sensor'], page)).total).toBe(1)
})

test('devices come in tree order, page by page', async () => {
  const { service } = core.devices
  const path = await core.pathOf('s2')
  const list = async (page: number) =>
    (await service.listDevices(scopeOfEverything, [path], ['room-sensor'], { page, size: 40 })).datalist
  const serials = [...(await list(1)), ...(await list(2)), ...(await list(3)), ...(await list(4))].map(
    ({ imei }) => imei,
  )
  const own = serials.filter((serial) => serial.startsWith('W-'))
  expect(own).toEqual(Array.from({ length: AREAS }, (_, index) => `W-${index + 1}`))
  expect(serials).toHaveLength(AREAS + 2)
})
