import type { DeviceKind } from '@isotherm/contract/devices'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { type Scope, scopeOfEverything, toDisjointPaths } from '../../../platform/scope/scope.ts'
import { toRegistryPayloads } from '../../../platform/signals/registry-signal.ts'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { listDeviceIds } from './device-lists.pg.ts'
import type { DeviceQuery } from './device-query.ts'
import type { CountBelow } from './device-totals.pg.ts'

let core: TestCore

beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const limiter = { page: 1, size: 2 }

/** Device lists with fixed counts below paths. `requested`: the paths whose counts were read. */
function createLists(count: (path: string, kinds: readonly DeviceKind[]) => number | undefined) {
  const requested: string[] = []
  const countBelow: CountBelow = (path, kinds) => {
    requested.push(path)
    return count(path, kinds)
  }
  const list = async (query: Partial<DeviceQuery>, scope: Scope = scopeOfEverything) => {
    const { ids, total } = await listDeviceIds({ db: core.db, countBelow }, scope, {
      paths: ['/'],
      limiter,
      ...query,
    })
    return { total, count: ids.length }
  }
  return { requested, list }
}

async function retire(serial: string): Promise<void> {
  await core.db.updateTable('device').set({ retired_at: new Date() }).where('serial', '=', serial).execute()
  const change = { kind: 'devices', ids: [await core.deviceId(serial)] } as const
  for (const payload of toRegistryPayloads(change)) await core.signals.send('registry_changed', payload)
}

test('the total of an unfiltered list adds the cached counts of its places and the counted retired devices', async () => {
  const { list } = createLists(() => 1_000)
  expect(await list({})).toEqual({ count: 2, total: 1_000 })
  await retire('V-b3u1')
  expect(await list({})).toEqual({ count: 2, total: 1_001 })
  expect(await list({ use: 'in-use' })).toEqual({ count: 2, total: 1_000 })
  expect(await list({ use: 'retired' })).toEqual({ count: 1, total: 1 })
  expect(await list({ kinds: ['concentrator'] })).toEqual({ count: 2, total: 1_000 })
})

test('places without a cached count are counted in the database', async () => {
  const [a1, s2] = [await core.pathOf('a1'), await core.pathOf('s2')]
  const { list } = createLists((path) => (path === a1 ? 1_000 : undefined))
  const ofS2 = (await createLists(() => undefined).list({ paths: [s2], use: 'in-use' })).total
  expect(await list({ paths: [a1, s2], use: 'in-use' })).toEqual({ count: 2, total: 1_000 + ofS2 })
  // A cached count covers the whole place, so a caller who sees only a part gets the count of that part.
  const part: Scope = { kind: 'paths', paths: [await core.pathOf('b2u1')] }
  expect(await list({ paths: [a1], use: 'in-use' }, part)).toEqual({ count: 2, total: 2 })
})

test('a filtered list is counted in the database', async () => {
  const { list, requested } = createLists(() => 1_000)
  const filter = [{ field: 'imei', cond: 'like', vstd: 'V-b2' } as const]
  expect((await list({ filter })).total).toBe(2)
  expect(requested).toEqual([])
})

test('among many devices numbers are found by their start or end, a name or a middle is refused', async () => {
  const few = createLists(() => 100_000)
  const many = createLists(() => 100_001)
  expect((await few.list({ text: 'b2u' })).total).toBe((await few.list({ text: 'B2U' })).total)
  expect((await few.list({ text: 'b2u1' })).total).toBeGreaterThan(0)
  expect(await many.list({ text: 'v-B2u' })).toEqual({ count: 2, total: 2 })
  expect((await many.list({ text: '2u1' })).total).toBe(0)
  expect((await many.list({ text: 'b2u1' })).total).toBe((await few.list({ text: 'b2u1' })).total)
  for (const text of ['V-', '一号楼', '阀'])
    await expect(many.list({ text })).rejects.toEqual(new AppError('filter.too-wide'))
})

test('numbers among many devices are found only inside the scope and below the given places', async () => {
  const many = createLists(() => 100_001)
  const scope: Scope = { kind: 'paths', paths: [await core.pathOf('b10')] }
  expect((await many.list({ text: 'V-b' }, scope)).total).toBe(2)
  expect((await many.list({ text: 'V-b', paths: [await core.pathOf('b10u1')] })).total).toBe(1)
})

test('a page of any places equals the same slice of the whole list, with and without cached counts', async () => {
  const groups = await core.db.selectFrom('node').select(['path', 'kind']).execute()
  const paths = groups.filter(({ kind }) => kind === 'address').map(({ path }) => path)
  const own = await core.db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select(['device.id', 'node.path'])
    .where('node.kind', '=', 'sub-user')
    .execute()
  const places = [...own.map(({ id, path }) => `${path}d${id}/`), ...paths].reverse()
  expect(places.length).toBeGreaterThan(8)
  const source = { db: core.db, countBelow: core.devices.directory.countBelow }
  const scope: Scope = { kind: 'paths', paths: places }
  for (const kinds of [undefined, ['valve' as const]]) {
    for (const use of [undefined, 'in-use' as const]) {
      const read = (page: number, size: number) =>
        listDeviceIds(source, scope, { paths: places, kinds, use, limiter: { page, size } })
      // A filtered list does not use the cached counts.
      const filter = [{ field: 'id', cond: 'gt', vstd: 0 } as const]
      const all = await listDeviceIds(source, scope, {
        paths: places,
        kinds,
        use,
        filter,
        limiter: { page: 1, size: 1_000 },
      })
      expect(all.total).toBeGreaterThan(4)
      for (let page = 1; page <= Math.ceil(all.total / 2) + 1; page += 1) {
        // Counts are cached until the change of a device is announced.
        await expect
          .poll(() => read(page, 2))
          .toEqual({ ids: all.ids.slice(page * 2 - 2, page * 2), total: all.total })
      }
      expect((await read(1, 1_000)).ids).toEqual(all.ids)
    }
  }
})

test('of many places only those that a page comes from are read', async () => {
  const rows = await core.db.selectFrom('node').select('path').where('kind', '=', 'address').execute()
  const paths = rows.map(({ path }) => path)
  const { list } = createLists(() => 10)
  // The cached count of each place is 10, so the second page of 10 is the second place, which has fewer devices.
  const page = await list({ paths, use: 'in-use', limiter: { page: 2, size: 10 } })
  expect(page.total).toBe(10 * toDisjointPaths(paths).length)
  expect(page.count).toBeLessThan(5)
})
