import { heatedAreaRange } from '@isotherm/contract/network/heated-area'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../../testing/core.testkit.ts'
import { readAreas } from './areas.pg.ts'

let core: TestCore
beforeAll(async () => {
  core = await createTestCore()
})
afterAll(() => core.close())

const store = (path: string, areaM2: number) =>
  core.db.updateTable('node').set({ area_m2: areaM2 }).where('path', '=', path).execute()

test('areas are summed below a path; one below the range of the contract counts as none', async () => {
  const [building, community] = await Promise.all([core.pathOf('b3'), core.pathOf('a2')])
  await core.db.updateTable('node').set({ area_m2: null }).execute()
  await store(building, 1e-320)
  expect((await readAreas(core.db, [community]))(community)).toBeUndefined()
  await store(building, heatedAreaRange.min)
  const findArea = await readAreas(core.db, [community])
  expect([findArea(community), findArea(building)]).toEqual([heatedAreaRange.min, heatedAreaRange.min])
})
