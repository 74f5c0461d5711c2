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
  // Also the part of a local day that lies before the span is in it.
  await put(other.id, midnight - DAY_MS + 60_000)
  const given = { from: midnight - DAY_MS / 2, to: midnight + 1 }
  expect(await bench.irrigation.listWater(bench.call().caller, given)).toHaveLength(2)
  await put(other.id, midnight - 1)
  expect(await list()).toMatchObject([
    { ...at, day: day(midnight), volumeM3: expect.closeTo(sum - own, 9) },
    { ...at, day: day(midnight - 1), volumeM3: expect.closeTo(own, 9) },
  ])
  // Not each run ever is looked through.
  const begin = (days: number) =>
    db
      .updateTable('irrigation_run')
      .set({ began_ms: midnight - days * DAY_MS })
      .execute()
  await begin(30)
  expect(await list()).toHaveLength(2)
  await begin(40)
  expect(await list()).toEqual([])
  const nobody: Scope = { kind: 'paths', paths: [] }
  expect(await listFieldWater(db, nobody, { paths: undefined, from: 0, to: clock.now() })).toEqual([])
})

test('a step that is paused over midnight takes the water of each day from the budget of that day', async () => {
  const { bench } = field
  const { id, version, node } = await field.now()
  const settings = { ...sourceSettings, dailyBudgetM3: 0.25 }
  field.source = await bench.settings.setSource(bench.call(), { id, version, node, settings })
  await bench.irrigation.start(bench.call(), { groupId: field.groupIds[0] ?? 0, runS: 70 })
  await bench.pass(50)
  const runId = (await field.now()).runs[0]?.id ?? 0
  await bench.irrigation.change(bench.call(), { runId, event: 'pause' })
  await bench.pass(20)
  const step = await bench.db.selectFrom('irrigation_step').selectAll().executeTakeFirstOrThrow()
  expect(step).toMatchObject({ state: 'pending', volume_m3: expect.closeTo(0.17, 1) })
  await bench.db
    .updateTable('irrigation_step')
    .set({ opened_ms: (step.opened_ms ?? 0) - DAY_MS })
    .execute()
  // 12 m³/h for 60 s are more than what is left of a budget from which the water of yesterday is taken.
  await bench.db.updateTable('irrigation_step').set({ duration_s: 60 }).execute()
  expect((await field.now()).usedTodayM3).toBe(0)
  await bench.irrigation.change(bench.call(), { runId, event: 'resume' })
  await bench.pass(100)

  const run = await field.lastRun()
  expect(run).toMatchObject({ state: 'done', volumeM3: expect.closeTo(step.volume_m3 + 0.2, 1) })
  expect(run?.steps[0]?.finding).toBeUndefined()
  const todayM3 = (run?.volumeM3 ?? 0) - step.volume_m3
  expect((await field.now()).usedTodayM3).toBeCloseTo(todayM3, 9)
  const now = bench.clock.now()
  const days = await bench.irrigation.listWater(bench.call().caller, { from: now - DAY_MS, to: now })
  expect(days.map(({ volumeM3 }) => volumeM3)).toEqual([
    expect.closeTo(todayM3, 9),
    expect.closeTo(step.volume_m3, 9),
  ])
  expect(days[1]?.measuredM3).toBeCloseTo(step.measured_m3, 9)
})

test('a span without a length, and one of more than a year, are refused', async () => {
  const { bench } = field
  const list = (from: number, to: number) => bench.irrigation.listWater(bench.call().caller, { from, to })
  await expect(list(5, 5)).rejects.toMatchObject({ code: 'irrigation.no-span' })
  await expect(list(0, 368 * DAY_MS)).rejects.toMatchObject({ code: 'irrigation.too-long' })
})
