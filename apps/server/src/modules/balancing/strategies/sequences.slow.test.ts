import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withHead } from '../campaign/campaign-plan.testkit.ts'
import type { RoundPlan } from '../plan/planner.ts'
import type { StrategyRunnerNeeds } from './run/runner.ts'
import { day, group, listLevels, listStates, night, school, turnTo, zone } from './sequence.testkit.ts'
import { changeStrategy } from './storage/strategy-changes.pg.ts'
import { type StrategiesBench, startStrategiesBench } from './strategies.testkit.ts'

let bench: StrategiesBench
beforeAll(async () => {
  bench = await startStrategiesBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

/** A planner whose rounds are changed by `change`. */
const planning = (change: (round: RoundPlan) => RoundPlan): Pick<StrategyRunnerNeeds, 'planner'> => ({
  planner: {
    ...bench.needs.planner,
    plan: async (...args) => change(await bench.needs.planner.plan(...args)),
  },
})

/** A round in which a valve is silent. */
const without = (serial: string, round: RoundPlan): RoundPlan => ({
  ...round,
  members: round.members.map((member) =>
    member.deviceName === serial ? { ...member, excluded: 'absent' } : member,
  ),
})

test('T10: each boundary starts one campaign for its levels, and nothing starts in between', async () => {
  turnTo(bench, night)
  bench.carryOut()
  bench.start()
  const id = await bench.run(school)
  const first = await bench.reach(id, { last: 'done' })
  expect(listLevels(bench)).toEqual([[night]])
  await expect.poll(async () => (await bench.get(id)).nextCheckAt).toBeGreaterThan(bench.clock.now())
  const { nextCheckAt = 0 } = await bench.get(id)
  expect(zone.toLocal(nextCheckAt) % DAY_MS).toBe(6 * HOUR_MS)
  bench.settings.aheadMs += HOUR_MS
  turnTo(bench, day)
  await expect.poll(async () => (await bench.get(id)).last?.campaign).not.toBe(first.last?.campaign)
  await bench.reach(id, { last: 'done' })
  expect(listLevels(bench)).toEqual([[night], [day]])
  expect(await listStates(bench)).toEqual(['accepted', 'accepted'])
})

test('T11: missed boundaries are not made up for: the loop is brought to the present slot once', async () => {
  turnTo(bench, day)
  bench.carryOut()
  const first = bench.start()
  const id = await bench.run(school)
  const { last } = await bench.reach(id, { last: 'done' })
  await first.close()
  bench.drop(first)
  bench.settings.aheadMs += 3 * DAY_MS
  turnTo(bench, night)
  bench.start()
  bench.start()
  await expect.poll(async () => (await bench.get(id)).last?.campaign).not.toBe(last?.campaign)
  await bench.reach(id, { last: 'done' })
  expect(listLevels(bench)).toEqual([[day], [night]])
})

test('T11: boundaries without a change, and openings that already fit, start no campaign', async () => {
  bench.loop.waves = []
  turnTo(bench, night)
  bench.start()
  const id = await bench.run(school)
  await bench.reach(id, { last: 'nothing-to-move' })
  // It was down over two boundaries, after which the level is what it was.
  bench.settings.aheadMs += DAY_MS
  await expect
    .poll(async () => ((await bench.get(id)).nextCheckAt ?? 0) - bench.clock.now())
    .toBeGreaterThan(0)
  expect(listLevels(bench)).toEqual([[night]])
  expect(await bench.listBegun()).toEqual([])
})

test('T12: a group that preheats is brought over its boundary before its slot starts, and only once', async () => {
  // Rooms at 15 °C under 25 °C are at 20 °C after 5 h·ln 2 = 3.47 h.
  const preheat = { timeConstantH: 5, wantedC: 20, boostedC: 25, maxHours: 12 }
  turnTo(bench, night)
  bench.carryOut()
  bench.start()
  const id = await bench.run({ ...school, groups: [{ ...group, preheat }] })
  await bench.reach(id, { last: 'done' })
  await expect
    .poll(async () => zone.toLocal((await bench.get(id)).nextCheckAt ?? 0) % DAY_MS)
    .toBeCloseTo((6 - 5 * Math.LN2) * HOUR_MS, -2)
  bench.settings.aheadMs += ((await bench.get(id)).nextCheckAt ?? 0) - bench.clock.now()
  await expect.poll(() => listLevels(bench)).toEqual([[night], [day]])
  await expect.poll(() => listStates(bench)).toEqual(['accepted', 'accepted'])
  await bench.reach(id, { last: 'done' })
  const { last } = await bench.get(id)
  expect(zone.toLocal(last?.at ?? 0) % DAY_MS).toBeLessThan(6 * HOUR_MS)
  turnTo(bench, day)
  await expect
    .poll(async () => zone.toLocal((await bench.get(id)).nextCheckAt ?? 0) % DAY_MS)
    .toBe(18 * HOUR_MS)
  expect(listLevels(bench)).toEqual([[night], [day]])
})

test('T14: valves left over at a boundary follow as soon as they can, and no other valve moves for them', async () => {
  let isAway = true
  bench.loop.waves = [['close', { C2V2: 35 }]]
  turnTo(bench, night)
  bench.carryOut()
  bench.start(planning((round) => (isAway ? without('C1V1', round) : round)))
  const id = await bench.run(school)
  await bench.reach(id, { last: 'done' })
  // Planned repeatedly, and started for no other valve.
  bench.loop.waves = [['open', { C2V1: 60 }]]
  for (let round = 0; round < 2; round += 1) {
    const planned = bench.plannedModes.length
    bench.settings.aheadMs += 600_000
    await expect.poll(() => bench.plannedModes.length).toBeGreaterThan(planned)
  }
  expect(await listStates(bench)).toEqual(['accepted'])
  isAway = false
  bench.loop.waves = [['close', { C1V1: 40 }]]
  bench.settings.aheadMs += 600_000
  await expect.poll(() => listStates(bench)).toEqual(['accepted', 'accepted'])
  expect(bench.field.orders.map(({ serial }) => serial)).toEqual(['C2V2', 'C1V1'])
})

test('T14: a valve with a maximum move at once continues as soon as it may, and stays once it is there', async () => {
  turnTo(bench, night)
  bench.carryOut()
  // From 50 % it may go to 35 % at once.
  bench.start(
    planning(() =>
      bench.field.openings.get('C2V2') === 50
        ? { ...bench.toPlan([['close', { C2V2: 35 }]]), heldBack: [bench.toId('C2V2')] }
        : bench.toPlan([['close', { C2V2: 20 }]]),
    ),
  )
  const id = await bench.run(school)
  await expect.poll(() => listStates(bench), { timeout: 30_000 }).toEqual(['accepted', 'accepted'])
  await expect.poll(async () => (await bench.get(id)).nextCheckAt).toBeGreaterThan(bench.clock.now())
  expect(bench.plannedModes).toHaveLength(2)
  expect(bench.field.orders.map(({ serial, openingPct }) => [serial, openingPct])).toEqual([
    ['C2V2', 35],
    ['C2V2', 20],
  ])
})

test('T14: a pump that accepted no head at a boundary gets it as soon as it can', async () => {
  turnTo(bench, night)
  bench.carryOut()
  const deviceId = bench.toId('ST')
  let isHeld = true
  bench.start(
    planning(() => {
      const plan = bench.toPlan([['close', { C2V2: 35 }]])
      return isHeld
        ? { ...plan, heldBack: [deviceId] }
        : withHead(plan, 'first', { deviceId, fromKpa: 50, toKpa: 40 })
    }),
  )
  const id = await bench.run(school)
  await bench.reach(id, { last: 'done' })
  expect(bench.field.heads).toEqual([])
  isHeld = false
  bench.settings.aheadMs += 600_000
  await expect.poll(() => listStates(bench)).toEqual(['accepted', 'accepted'])
  expect(bench.field.heads).toEqual([40])
})

test('T15: while groups are set back, frost protection is planned again when it becomes colder', async () => {
  let outdoorC = -2
  turnTo(bench, night)
  bench.carryOut()
  bench.start({
    readSnapshot: async () => ({
      outdoorC,
      roomC: () => undefined,
      countValves: () => 4,
      findTimeConstant: async () => ({ kind: 'not-measured' }),
    }),
  })
  const id = await bench.run(school)
  await bench.reach(id, { last: 'done' })
  outdoorC = -4.5
  bench.settings.aheadMs += HOUR_MS
  await expect.poll(async () => (await bench.get(id)).nextCheckAt).toBeGreaterThan(bench.clock.now())
  expect(bench.plannedModes).toHaveLength(1)
  outdoorC = -6
  bench.settings.aheadMs += 2 * HOUR_MS
  await expect.poll(() => listStates(bench)).toEqual(['accepted', 'accepted'])
  expect(listLevels(bench)).toEqual([[night], [night]])
})

test('T15: a valve that stays silent does not prevent the frost protection of the others', async () => {
  let outdoorC = -2
  turnTo(bench, night)
  bench.carryOut()
  bench.start({
    readSnapshot: async () => ({
      outdoorC,
      roomC: () => undefined,
      countValves: () => 4,
      findTimeConstant: async () => ({ kind: 'not-measured' }),
    }),
    ...planning((round) => without('C1V3', round)),
  })
  const id = await bench.run(school)
  await bench.reach(id, { last: 'done' })
  outdoorC = -6
  bench.settings.aheadMs += HOUR_MS
  await expect.poll(() => listStates(bench)).toEqual(['accepted', 'accepted'])
})

test('T16: a plan that commands would refuse is not stored, and retried', async () => {
  let isRefused = true
  const total = { node: '小区', totalPct: 10, minTotalPct: 50 }
  turnTo(bench, night)
  bench.carryOut()
  bench.start({
    commands: {
      ...bench.needs.commands,
      async preview(...args) {
        const answer = await bench.needs.commands.preview(...args)
        return isRefused ? { ...answer, totals: [total] } : answer
      },
    },
  })
  const id = await bench.run(school)
  expect((await bench.reach(id, { last: 'refused' })).last).toMatchObject({ code: 'command.total-too-low' })
  expect(await bench.listBegun()).toEqual([])
  isRefused = false
  bench.settings.aheadMs += 600_000
  const { history } = await bench.reach(id, { last: 'done' })
  expect(history.map(({ event }) => event)).toEqual(['add', 'start', 'began', 'done'])
})

test('T9: a plan changed during its campaign is brought to its new levels', async () => {
  turnTo(bench, night)
  bench.start()
  const id = await bench.run(school)
  await expect.poll(() => listStates(bench)).toEqual(['executing'])
  await bench.move('pause', id)
  const colder: SlotLevel = { kind: 'flow', share: 0.1 }
  const { version } = await bench.get(id)
  const changed: StrategyPlan = { ...school, groups: [{ ...group, base: colder }] }
  await changeStrategy(
    bench.db,
    changed,
    { id, version, ...bench.who() },
    bench.toOperation('updateStrategy'),
  )
  await bench.move('start', id)
  bench.carryOut()
  await expect.poll(() => listStates(bench), { timeout: 30_000 }).toEqual(['accepted', 'accepted'])
  expect(listLevels(bench)).toEqual([[night], [colder]])
})

test('T17: a pause during an approval moves nothing', async () => {
  turnTo(bench, night)
  bench.carryOut()
  const reached = Promise.withResolvers<void>()
  const hold = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  bench.start({
    async moveCampaign(...args) {
      reached.resolve()
      await hold.promise
      const moved = bench.needs.moveCampaign(...args)
      moved.then(ended.resolve, ended.resolve)
      return moved
    },
  })
  const id = await bench.run(school)
  await reached.promise
  await bench.move('pause', id)
  hold.resolve()
  expect(await ended.promise).toMatchObject({ name: 'LostStrategy' })
  expect(await listStates(bench)).toEqual(['draft'])
  expect(bench.field.orders).toEqual([])
  // The draft may not fit the plan any more.
  await bench.move('start', id)
  await bench.reach(id, { last: 'done' })
  expect(await listStates(bench)).toEqual(['discarded', 'accepted'])
})
