import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import { sourceSettings, useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'
import { listFieldWater } from './field-water.pg.ts'

const field = useSourceOfTwoGroups()

test('the water of a field is that of all its sources together, by local day', async () => {
  const { bench, groupIds } = field
  const { node, nestaddr } = await field.now()
  const other = await bench.settings.setSource(bench.call(), {
    node,
    settings: { ...sourceSettings, name: '二号泵站' },
  })
  const valves = [{ deviceId: bench.idOf('C1V6'), flowM3H: 6, maxS: 1_800 }]
  const settings = { name: '三组', mode: 'parallel' as const, valves }
  const { groups } = await bench.settings.setGroup(bench.call(), { sourceId: other.id, settings })
  await bench.irrigation.start(bench.call(), { groupId: groupIds[0] ?? 0, runS: 60 })
  await bench.irrigation.start(bench.call(), { groupId: groups[0]?.id ?? 0, runS: 60 })
  await bench.pass(120)

  const { db, clock } = bench
  // 16:00 UTC is midnight in Shanghai: the water of the second source is of the day before.
  const midnight = Math.floor(clock.now() / DAY_MS) * DAY_MS - 8 * 3_600_000
  const steps = await db
    .selectFrom('irrigation_step')
    .innerJoin('irrigation_run', 'irrigation_run.id', 'run_id')
    .select(['irrigation_step.id', 'source_id', 'volume_m3'])
    .execute()
  expect(steps).toHaveLength(2)
  const [sum, own] = [
    steps.reduce((total, step) => total + step.volume_m3, 0),
    steps.find(({ source_id }) => source_id === other.id)?.volume_m3 ?? 0,
  ]
  const put = (sourceId: number, opened_ms: number) =>
    db
      .updateTable('irrigation_step')
      .set({ opened_ms })
      .where('id', '=', steps.find(({ source_id }) => source_id === sourceId)?.id ?? 0)
      .execute()
  await put(field.source.id, midnight)
  await put(other.id, midnight + 60_000)
  const list = () =>
    bench.irrigation.listWater(bench.call().caller, { from: midnight - DAY_MS, to: midnight + DAY_MS })
  const day = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10)
  const at = { node, nestaddr }
  expect(await list()).toMatchObject([{ ...at, day: day(midnight), volumeM3: expect.closeTo(sum, 9) }])
  await put(other.id, midnight - 1)
  expect(await list()).toMatchObject([
    { ...at, day: day(midnight), volumeM3: expect.closeTo(sum - own, 9) },
    { ...at, day: day(midnight - 1), volumeM3: expect.closeTo(own, 9) },
  ])
  const nobody: Scope = { kind: 'paths', paths: [] }
  expect(await listFieldWater(db, nobody, { paths: undefined, from: 0, to: clock.now() })).toEqual([])
})

test('a span without a length, and one of more than a year, are refused', async () => {
  const { bench } = field
  const list = (from: number, to: number) => bench.irrigation.listWater(bench.call().caller, { from, to })
  await expect(list(5, 5)).rejects.toMatchObject({ code: 'irrigation.no-span' })
  await expect(list(0, 368 * DAY_MS)).rejects.toMatchObject({ code: 'irrigation.too-long' })
})
