import type { StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { afterTwoWaves, twoWaves } from '../campaign/campaign-plan.testkit.ts'
import { changeStrategy } from './storage/strategy-changes.pg.ts'
import { byReturns, type StrategiesBench, startStrategiesBench } from './strategies.testkit.ts'

let bench: StrategiesBench
beforeAll(async () => {
  bench = await startStrategiesBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

test('T3: beyond its dead band it runs one campaign and accepts it, in the name of its starter', async () => {
  bench.carryOut()
  bench.start()
  const id = await bench.run(byReturns)
  const { last, nextCheckAt = 0, history, campaign } = await bench.reach(id, { last: 'done' })
  expect(last).toMatchObject({ index: { name: 'sigmaReturnK', value: 0.4, limit: 1 } })
  expect(nextCheckAt - (last?.at ?? 0)).toBe(6 * HOUR_MS)
  expect(campaign).toBeUndefined()
  expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
  const begun = await bench.listBegun()
  expect(begun).toMatchObject([{ id: last?.campaign, state: 'accepted', strategy: id, account: 'balancer' }])
  expect((await bench.getCampaign(begun[0]?.id ?? 0)).strategy).toBe(id)
  expect(history.map(({ event, by }) => [event, by])).toEqual([
    ['add', 'balancer'],
    ['start', 'balancer'],
    ['began', undefined],
    ['done', undefined],
  ])
  const noted = await bench.db
    .selectFrom('operation')
    .where('endpoint', '=', 'strategy')
    .select(['account', 'account_id'])
    .execute()
  expect(noted.length).toBeGreaterThanOrEqual(3)
  expect(new Set(noted.map(({ account }) => account))).toEqual(new Set(['balancer']))
})

test('T3: a strategy of the proportional loop plans its rounds, and its campaign has the method', async () => {
  bench.loop.after = { sigmaReturnK: 1.5 }
  bench.carryOut()
  bench.start()
  const id = await bench.run({ ...byReturns, method: 'proportional', trims: 1 })
  const { last } = await bench.reach(id, { last: 'done' })
  const mode = { kind: 'temperature', target: 'return', method: 'proportional' }
  expect(bench.plannedModes).toEqual([mode])
  const campaign = await bench.getCampaign(last?.campaign ?? 0)
  expect(campaign).toMatchObject({ mode, round: 2, state: 'accepted' })
})

test('T4: within its dead band it starts nothing, and the next tick is at its period', async () => {
  bench.loop.before = { sigmaReturnK: 0.9 }
  bench.carryOut()
  bench.start()
  const id = await bench.run(byReturns)
  const { last } = await bench.reach(id, { last: 'within' })
  expect(last?.index).toEqual({ name: 'sigmaReturnK', value: 0.9, limit: 1 })
  bench.loop.before = { sigmaReturnK: 1.1 }
  expect(await bench.listBegun()).toEqual([])
  bench.settings.aheadMs += 6 * HOUR_MS
  await bench.reach(id, { last: 'done' })
  expect(await bench.listBegun()).toHaveLength(1)
})

test('T21: within its dead band a slow trim moves drifted valves by one campaign of one round', async () => {
  bench.loop.before = { sigmaReturnK: 0.9 }
  bench.loop.after = { sigmaReturnK: 1.5 }
  bench.loop.slowTrim = [['close', { C1V4: 48 }]]
  bench.carryOut()
  bench.start()
  const id = await bench.run({ ...byReturns, trims: 2, slowTrim: true })
  const { last } = await bench.reach(id, { last: 'done' })
  const mode = { kind: 'temperature', target: 'return', method: 'slow-trim' }
  expect(bench.plannedModes).toEqual([{ kind: 'temperature', target: 'return' }, mode])
  const campaign = await bench.getCampaign(last?.campaign ?? 0)
  expect(campaign).toMatchObject({ mode, round: 1, state: 'accepted', strategy: id, approvedBy: 'balancer' })
  expect(bench.listOrders()).toEqual([['C1V4', 48]])
})

test('T21: no slow trim without a drift, without the option, or when a balance is due', async () => {
  bench.loop.before = { sigmaReturnK: 0.9 }
  bench.carryOut()
  bench.start()
  const id = await bench.run({ ...byReturns, slowTrim: true })
  await bench.reach(id, { last: 'within' })
  expect(bench.plannedModes).toHaveLength(2)
  await bench.move('end', id)
  bench.loop.slowTrim = [['close', { C1V4: 48 }]]
  const other = await bench.run(byReturns)
  await bench.reach(other, { last: 'within' })
  expect(bench.plannedModes).toHaveLength(3)
  expect(await bench.listBegun()).toEqual([])
  await bench.move('end', other)
  bench.loop.before = { sigmaReturnK: 1.1 }
  const third = await bench.run({ ...byReturns, slowTrim: true })
  await bench.reach(third, { last: 'done' })
  expect(bench.plannedModes.slice(3)).toEqual([{ kind: 'temperature', target: 'return' }])
  expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
})

test('T22: a plan that expects worse starts no campaign, and the outcome has its reason', async () => {
  const refusal = { node: '一号站', reason: 'return', now: '2.00 K', expected: '2.10 K', help: 'pressures' }
  const { planner } = bench.needs
  const plan: typeof planner.plan = async (...order) => ({ ...(await planner.plan(...order)), refusal })
  bench.carryOut()
  bench.start({ planner: { ...planner, plan } })
  const id = await bench.run(byReturns)
  const { last, state } = await bench.reach(id, { last: 'refused' })
  expect(last).toMatchObject({ code: 'balance.not-identified', params: refusal })
  expect(state).toBe('running')
  expect(await bench.listBegun()).toEqual([])
  expect(bench.listOrders()).toEqual([])
})

test('T22: within its dead band a plan that expects worse changes nothing', async () => {
  bench.loop.before = { sigmaReturnK: 0.9 }
  const { planner } = bench.needs
  const plan: typeof planner.plan = async (...order) => ({
    ...(await planner.plan(...order)),
    refusal: { node: '一号站' },
  })
  bench.start({ planner: { ...planner, plan } })
  const id = await bench.run(byReturns)
  const { last } = await bench.reach(id, { last: 'within' })
  expect(last?.code).toBeUndefined()
})

test('T22: a further round that expects worse is left out, and the result is accepted', async () => {
  bench.loop.after = { sigmaReturnK: 1.5 }
  const { planner } = bench.needs
  const trim: typeof planner.trim = async (...order) => ({
    ...(await planner.trim(...order)),
    refusal: { node: '一号站' },
  })
  bench.carryOut()
  bench.start({ planner: { ...planner, trim } })
  const id = await bench.run({ ...byReturns, trims: 1 })
  const { last } = await bench.reach(id, { last: 'done' })
  expect(await bench.getCampaign(last?.campaign ?? 0)).toMatchObject({ round: 1, state: 'accepted' })
})

test('T5: it trims while the index is beyond and rounds are left, then accepts', async () => {
  bench.loop.after = { sigmaReturnK: 1.5 }
  bench.carryOut()
  bench.start()
  const id = await bench.run({ ...byReturns, trims: 1 })
  const { last } = await bench.reach(id, { last: 'done' })
  const { round, state, history } = await bench.getCampaign(last?.campaign ?? 0)
  expect([round, state]).toEqual([2, 'accepted'])
  expect(history.filter(({ event }) => event === 'trim')).toHaveLength(1)
  expect(bench.listOrders()).toEqual(Object.entries({ ...afterTwoWaves, C1V3: 45 }).sort())
})

test('T5: a room target is not trimmed while rooms respond, and the next balance waits until they are at rest', async () => {
  const moving = new AppError('balance.rooms-moving', { node: '小区', waiting: 4, valves: 4, hours: 108 })
  bench.loop.before = { sigmaRoomK: 2 }
  bench.loop.after = { sigmaRoomK: 1.5 }
  bench.carryOut()
  const { planner } = bench.needs
  bench.start({
    planner: {
      ...planner,
      trim: () => Promise.reject(moving),
      async plan(place, mode) {
        const round = await planner.plan(place, mode)
        if (bench.plannedModes.length > 1) throw moving
        return round
      },
    },
  })
  const id = await bench.run({ ...byReturns, target: 'room', trims: 2 })
  const { last: done } = await bench.reach(id, { last: 'done' })
  expect(await bench.getCampaign(done?.campaign ?? 0)).toMatchObject({ round: 1, state: 'accepted' })
  expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
  bench.settings.aheadMs += 6 * HOUR_MS
  const { last, nextCheckAt = 0, state } = await bench.reach(id, { last: 'refused' })
  expect(last).toMatchObject({ code: 'balance.rooms-moving', params: { hours: 108 } })
  expect([state, nextCheckAt - (last?.at ?? 0)]).toEqual(['running', 108 * HOUR_MS])
  expect(await bench.listBegun()).toHaveLength(1)
})

test('T6: a campaign that aborts pauses its strategy, and a user decides about the rollback', async () => {
  bench.readings.headKpa = 90
  bench.carryOut()
  bench.start()
  const id = await bench.run(byReturns)
  const { last, state, nextCheckAt } = await bench.reach(id, { state: 'paused' })
  expect(last).toMatchObject({ kind: 'aborted', abort: { kind: 'head-outside' } })
  expect([state, nextCheckAt]).toEqual(['paused', undefined])
  const given = bench.field.orders.length
  bench.readings.headKpa = 50
  bench.settings.aheadMs += 12 * HOUR_MS
  await bench.moveCampaign('rollback', last?.campaign ?? 0)
  await expect
    .poll(async () => (await bench.listBegun()).map((begun) => begun.state))
    .toEqual(['rolled-back'])
  expect(bench.field.orders).toHaveLength(2 * given)
})

test('T6: a rollback by a user pauses the strategy', async () => {
  bench.carryOut()
  bench.start()
  const id = await bench.run(byReturns)
  await expect.poll(() => bench.field.orders.length).toBeGreaterThan(0)
  const { campaign } = await bench.get(id)
  await bench.moveCampaign('rollback', campaign ?? 0)
  const { last } = await bench.reach(id, { state: 'paused' })
  expect(last).toMatchObject({ kind: 'turned-back', campaign })
})

test('T7: without the permissions of its starter it starts nothing, and pauses', async () => {
  bench.carryOut()
  bench.start({ findAccess: async () => undefined })
  const id = await bench.run(byReturns)
  expect((await bench.reach(id, { state: 'paused' })).last).toMatchObject({ kind: 'access-lost' })
  expect(await bench.listBegun()).toEqual([])
  expect(bench.plannedModes).toEqual([])
})

test('T8: only one strategy of a loop can run', async () => {
  const first = await bench.run(byReturns)
  const second = await bench.add(byReturns)
  await expect(bench.move('start', second)).rejects.toMatchObject({
    code: 'strategy.loop-taken',
    params: { station: '换热站', strategy: String(first) },
  })
  await bench.move('pause', first)
  await bench.move('start', second)
  expect((await bench.get(second)).state).toBe('running')
})

test('T8: a strategy waits while another campaign has its loop, and starts once the loop is free', async () => {
  const other = await bench.addCampaign(bench.toPlan(twoWaves))
  await bench.moveCampaign('approve', other)
  await bench.moveCampaign('pause', other)
  bench.carryOut()
  bench.start()
  const id = await bench.run(byReturns)
  expect((await bench.reach(id, { last: 'loop-taken' })).last).toMatchObject({ campaign: other })
  await bench.moveCampaign('rollback', other)
  await expect.poll(async () => (await bench.getCampaign(other)).state).toBe('rolled-back')
  bench.settings.aheadMs += HOUR_MS
  await bench.reach(id, { last: 'done' })
})

test('T9: a paused strategy continues its campaign, and starts no other', async () => {
  bench.start()
  const id = await bench.run(byReturns)
  await expect.poll(async () => (await bench.listBegun())[0]?.state).toBe('executing')
  await bench.move('pause', id)
  bench.carryOut()
  await expect.poll(async () => (await bench.listBegun())[0]?.state).toBe('verified')
  expect((await bench.get(id)).last).toMatchObject({ kind: 'begun' })
  await bench.move('start', id)
  await bench.reach(id, { last: 'done' })
  expect((await bench.listBegun()).map(({ state }) => state)).toEqual(['accepted'])
})

test('T9: an ended strategy leaves its campaign to users, and never starts again', async () => {
  bench.start()
  const id = await bench.run(byReturns)
  await expect.poll(async () => (await bench.listBegun())[0]?.state).toBe('executing')
  await bench.move('end', id)
  bench.carryOut()
  await expect.poll(async () => (await bench.listBegun())[0]?.state).toBe('verified')
  await expect(bench.move('start', id)).rejects.toMatchObject({ code: 'strategy.not-now' })
  expect(await bench.get(id)).toMatchObject({ state: 'ended', version: 3 })
})

test('a strategy can be changed only while it does not run, and its kind stays', async () => {
  const id = await bench.add(byReturns)
  const change = async (plan: StrategyPlan) => {
    const { version } = await bench.get(id)
    return changeStrategy(
      bench.db,
      plan,
      { id, version, ...bench.who() },
      bench.toOperation('updateStrategy'),
    )
  }
  await change({ ...byReturns, everyHours: 12 })
  expect((await bench.get(id)).plan).toMatchObject({ everyHours: 12 })
  await expect(change({ kind: 'flow', startAboveShare: 0.1, everyHours: 6, trims: 0 })).rejects.toMatchObject(
    { code: 'strategy.not-now' },
  )
  await bench.move('start', id)
  await expect(change(byReturns)).rejects.toMatchObject({ code: 'strategy.not-now' })
})
