import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { sourceSettings, useSourceOfTwoGroups } from './irrigation-runs.testkit.ts'
import { listOwnTimes, storeOpenings } from './observed/observed-runs.pg.ts'

const field = useSourceOfTwoGroups()
const { openValves, now, lastRun, listFaultNames, addProgram } = field

/** A user opens or closes valves, and holds them so for an hour. */
async function hold(serials: readonly string[], openingPct: number): Promise<void> {
  const targets = serials.map((serial) => ({ deviceId: field.bench.idOf(serial), openingPct }))
  const holdUntil = field.bench.clock.now() + HOUR_MS
  await field.bench.commands.send(field.bench.call(), { targets, holdUntil, reason: '手动' })
  await field.bench.settle()
}
const water = (runS: number) =>
  field.bench.irrigation.start(field.bench.call(), { groupId: field.groupIds[0] ?? 0, runS })

test('a group waits while valves that are held open use the capacity, and starts when they close', async () => {
  await hold(['C1V3', 'C1V4'], 100)
  await field.bench.pass(10)
  await water(60)
  await field.bench.pass(30)
  expect(openValves()).toEqual(['C1V3', 'C1V4'])
  expect((await now()).openByHand).toEqual(
    ['C1V3', 'C1V4'].map((serial) => ({ valveId: field.bench.idOf(serial), flowM3H: 6 })),
  )
  await hold(['C1V3', 'C1V4'], 0)
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
  expect((await now()).openByHand).toEqual([])
})

test('a valve that died open blocks a group for an hour, and not for ever', async () => {
  const valve = field.bench.valves.get('C1V3')
  await hold(['C1V3'], 100)
  await field.bench.pass(10)
  Object.assign(valve ?? {}, { isSilent: true, openingPct: 0 })
  await water(60)
  await field.bench.pass(40, 20)
  expect(openValves()).toEqual([])
  await field.bench.pass(HOUR_MS / 1000, HOUR_MS / 1000)
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
})

test('water that valves reported without a run counts for the water of the day, once', async () => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, dailyBudgetM3: 1 }
  field.source = await field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
  await water(60)
  await field.bench.pass(80, 10)
  const toMs = field.bench.clock.now()
  const valve = {
    deviceId: field.bench.idOf('C1V3'),
    sourceId: id,
    groupId: field.groupIds[1] ?? 0,
    flowM3H: 6,
    mark: null,
  }
  const opening = { fromMs: toMs - 1_000, toMs, volumeM3: 0.7, measuredM3: 0 }
  await storeOpenings(field.bench.db, { valve, from: opening.fromMs, openings: [opening], observedS: 1 })
  expect((await now()).usedTodayM3).toBeCloseTo(0.9, 1)
  // 0.1 m³ are left: 30 s of 12 m³/h.
  await water(120)
  await field.bench.pass(150, 10)
  const run = await lastRun()
  expect(run?.steps[0]?.plannedS).toBeLessThan(40)
  expect((await now()).usedTodayM3).toBeLessThanOrEqual(1 + 1e-6)
})

test('a valve of a group that a person holds closed has no part in the expected flow: no finding, no alarm', async () => {
  await hold(['C1V1'], 0)
  await addProgram(1, 60)
  await field.bench.pass(200, 10)
  const run = await lastRun()
  expect(run).toMatchObject({
    state: 'done',
    steps: [{ valveIds: [field.bench.idOf('C1V2')], flowM3H: 6, expected: { flowM3H: 6 } }, { flowM3H: 12 }],
  })
  expect(run?.steps.map(({ finding }) => finding)).toEqual([undefined, undefined])
  expect(run?.steps[0]?.volumeM3).toBeCloseTo((6 * 60) / 3600, 1)
  expect(await listFaultNames()).toEqual([])
})

test('a valve of a group whose limits refuse to open is reported as not watered, and the others are watered', async () => {
  const limit = (max_opening_pct: number) =>
    field.bench.db
      .updateTable('device')
      .set({ max_opening_pct })
      .where('id', '=', field.bench.idOf('C1V1'))
      .execute()
  await limit(50)
  await addProgram(1, 60)
  await field.bench.pass(200, 10)
  expect((await lastRun())?.steps.map(({ finding }) => finding)).toEqual(['part-refused', undefined])
  expect(await listFaultNames()).toEqual(['irrigation-missed'])
  await limit(100)
})

test('a single run outranks an order of the schedule that holds a valve closed', async () => {
  const targets = [{ deviceId: field.bench.idOf('C1V1'), openingPct: 0 }]
  const holdUntil = field.bench.clock.now() + HOUR_MS
  const order = { targets, priority: 'schedule' as const, holdUntil, reason: '计划' }
  await field.bench.commands.send(field.bench.call(), order)
  await field.bench.settle()
  await water(60)
  await field.bench.pass(10)
  expect(openValves()).toEqual(['C1V1', 'C1V2'])
})

test('a single run behind another one says when it starts and after what', async () => {
  await addProgram(1, 60)
  await field.bench.pass(80, 10)
  const answer = await field.bench.irrigation.start(field.bench.call(), {
    groupId: field.groupIds[1] ?? 0,
    runS: 60,
  })
  const [program, single] = answer.runs
  expect(program?.waiting).toBeUndefined()
  const endMs = Math.max(
    ...(program?.steps ?? []).map(({ plannedMs, plannedS }) => plannedMs + plannedS * 1000),
  )
  expect(single).toMatchObject({ waiting: { after: ['晨灌'] }, conflicts: [{ kind: 'queued' }] })
  expect(Math.abs((single?.waiting?.startMs ?? 0) - endMs)).toBeLessThan(15_000)
  await field.bench.pass(150, 10)
  expect((await now()).runs).toMatchObject([{ name: '二组' }])
  expect((await now()).runs[0]?.waiting).toBeUndefined()
})

test('a valve belongs to an interrupted step since its first opening: its water is not observed a second time', async () => {
  const { runs } = await water(120)
  await field.bench.pass(60)
  const change = (event: 'pause' | 'resume') =>
    field.bench.irrigation.change(field.bench.call(), { runId: runs[0]?.id ?? 0, event })
  const [first] = (await now()).runs
  await change('pause')
  await field.bench.pass(60)
  await change('resume')
  await field.bench.pass(20)
  expect((await now()).runs[0]?.steps[0]?.openedMs).toBeGreaterThan(first?.steps[0]?.openedMs ?? Infinity)
  const own = await listOwnTimes(field.bench.db, field.bench.idOf('C1V1'), 0)
  expect(own.at(-1)?.openedMs).toBe(first?.steps[0]?.openedMs)
})
