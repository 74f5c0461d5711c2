import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../platform/app-error.ts'
import { SETTLE_MS, twoWaves } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

async function approve(plan = bench.toPlan(twoWaves)): Promise<number> {
  bench.start()
  const id = await bench.add(plan)
  await bench.move('approve', id)
  return id
}

/** The abort of a campaign that is left to itself; no command follows it. */
async function findAbort(id: number): Promise<CampaignAbort | undefined> {
  await bench.reach(id, 'aborted')
  await bench.settleCommands()
  const { orders } = bench.field
  const given = orders.length
  bench.settings.aheadMs += 60_000
  await pause(500)
  expect(orders).toHaveLength(given)
  return (await bench.get(id)).abort
}

test('K9: too many valves without an answer abort it, and it can be rolled back', async () => {
  bench.field.broken.add('C1V1').add('C2V1')
  const id = await approve()
  expect(await findAbort(id)).toEqual({ kind: 'unanswered', share: 1 })
  expect(await bench.get(id)).toMatchObject({
    moved: 2,
    steps: [{ state: 'done', unanswered: 2 }, { state: 'waiting' }],
  })
  bench.field.broken.clear()
  bench.field.orders.length = 0
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field.orders.map(({ serial, openingPct }) => [serial, openingPct]).sort()).toEqual([
    ['C1V1', 50],
    ['C2V1', 50],
  ])
})

test('K9: a few unanswered commands in each wave add up to too many in the round', async () => {
  bench.field.broken.add('C1V1').add('C1V2')
  expect(await findAbort(await approve())).toEqual({ kind: 'unanswered', share: 0.5 })
  expect(bench.field.orders).toHaveLength(4)
})

test('valves that answer and do not arrive are no silent ones: the campaign continues without an abort', async () => {
  bench.field.blocked.add('C1V1').add('C2V1')
  const id = await approve()
  await bench.reach(id, 'verified')
  const steps = await bench.db
    .selectFrom('campaign_step')
    .select(['unanswered', 'missed'])
    .orderBy('step')
    .execute()
  expect(steps).toEqual([
    { unanswered: 2, missed: [bench.toId('C1V1'), bench.toId('C2V1')].sort((one, other) => one - other) },
    { unanswered: 0, missed: [] },
  ])
})

test('K9: a head outside its predicted range aborts it at once', async () => {
  bench.readings.headKpa = 75
  const id = await approve()
  expect(await findAbort(id)).toEqual({ kind: 'head-outside', headKpa: 75 })
  expect(bench.field.orders).toHaveLength(2)
  await bench.move('accept', id)
  expect(await bench.get(id)).toMatchObject({ state: 'accepted', abort: { kind: 'head-outside' } })
})

test('K9: a building with too little flow aborts it', async () => {
  bench.readings.flowM3H = 0.05
  expect(await findAbort(await approve())).toMatchObject({ kind: 'starved', deviceIds: { length: 8 } })
})

test('K9: rooms that become cold abort it', async () => {
  bench.readings.coldRooms = 5
  expect(await findAbort(await approve())).toEqual({ kind: 'cold-rooms', before: 0, now: 5 })
})

test('K9: missing readings abort it after the settling time, not before', async () => {
  bench.readings.flowM3H = undefined
  const id = await approve()
  expect(await findAbort(id)).toEqual({ kind: 'not-measured' })
  const { history } = await bench.get(id)
  const waves = bench.db.selectFrom('campaign_step').where('campaign_id', '=', id).where('step', '=', 1)
  const { answered_ms } = await waves.select('answered_ms').executeTakeFirstOrThrow()
  expect((history.at(-1)?.at ?? 0) - (answered_ms ?? Number.NaN)).toBeGreaterThanOrEqual(SETTLE_MS)
})

test('K9: readings from before the end of a wave’s commands do not count', async () => {
  bench.readings.until = bench.clock.now()
  expect(await findAbort(await approve())).toEqual({ kind: 'not-measured' })
})

test('K9: readings of a settled round abort it too, and its result is stored', async () => {
  const id = await approve()
  await bench.reach(id, 'settling')
  bench.readings.coldRooms = 5
  expect(await findAbort(id)).toEqual({ kind: 'cold-rooms', before: 0, now: 5 })
  expect((await bench.get(id)).indices.after).toEqual({ sigmaReturnK: 1 })
})

test('K9: missing readings of a settled round abort it', async () => {
  const id = await approve()
  await bench.reach(id, 'settling')
  bench.readings.flowM3H = undefined
  bench.readings.headKpa = undefined
  expect(await findAbort(id)).toEqual({ kind: 'not-measured' })
})

test('K10: a refusal by commands aborts it, and no command of the wave is sent', async () => {
  const held = { targets: [{ deviceId: bench.toId('C1V1'), openingPct: 70 }], reason: 'test' }
  await bench.commands.send(await bench.act(), {
    ...held,
    priority: 'manual',
    holdUntil: bench.clock.now() + DAY_MS,
  })
  await bench.settleCommands()
  bench.field.orders.length = 0
  expect(await findAbort(await approve())).toMatchObject({ kind: 'refused', code: 'command.held' })
  expect(bench.field.orders).toEqual([])
})

test('K10: a refusal of a later wave aborts it before the first', async () => {
  const plan = bench.toPlan([
    ['open', { C1V1: 60 }],
    ['close', { C1V2: 40, C1V3: 5 }],
  ])
  expect(await findAbort(await approve(plan))).toMatchObject({
    kind: 'refused',
    code: 'command.outside-limits',
  })
  expect(bench.field.orders).toEqual([])
})

test('K10: without the permissions of its approver nothing moves any more, in a rollback either', async () => {
  const role = bench.db.selectFrom('account_role').where('account_id', '=', bench.accountId).select('role_id')
  const control = {
    role_id: (await role.executeTakeFirstOrThrow()).role_id,
    permission: 'pe-fmcontrol' as const,
  }
  const take = () =>
    bench.db
      .deleteFrom('role_permission')
      .where('role_id', '=', control.role_id)
      .where('permission', '=', control.permission)
      .execute()
  bench.field.isSlow = true
  const id = await approve()
  await expect.poll(() => bench.field.orders.length).toBe(2)
  await take()
  bench.field.isSlow = false
  const refused = { kind: 'refused', code: 'access.denied' }
  expect(await findAbort(id)).toEqual(refused)
  expect(bench.field.orders).toHaveLength(2)
  await bench.move('rollback', id)
  expect(await findAbort(id)).toEqual(refused)
  expect(bench.field.orders).toHaveLength(2)
  await bench.db.insertInto('role_permission').values(control).execute()
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field.openings.get('C1V1')).toBe(50)
  expect(await bench.get(id)).toMatchObject({ round: 2, moves: 2 })
})

test('K14: a command by somebody else after the round was planned aborts it, and stays', async () => {
  const plan = bench.toPlan(twoWaves)
  await bench.commands.send(await bench.act(), {
    targets: [{ deviceId: bench.toId('C2V2'), openingPct: 80 }],
    reason: 'test',
  })
  await bench.settleCommands()
  bench.field.orders.length = 0
  expect(await findAbort(await approve(plan))).toMatchObject({ kind: 'refused', code: 'campaign.outdated' })
  expect(bench.field.orders).toEqual([])
  expect(bench.field.openings.get('C2V2')).toBe(80)
})

test('K14: a command by somebody else during a pause aborts it too', async () => {
  bench.field.isSlow = true
  const id = await approve()
  await expect.poll(() => bench.field.orders.length).toBe(2)
  await bench.move('pause', id)
  bench.field.isSlow = false
  await bench.commands.send(await bench.act(), {
    targets: [{ deviceId: bench.toId('C1V2'), openingPct: 80 }],
    reason: 'test',
  })
  await bench.settleCommands()
  await bench.move('resume', id)
  expect(await findAbort(id)).toMatchObject({ kind: 'refused', code: 'campaign.outdated' })
  expect(bench.field.openings.get('C1V2')).toBe(80)
})

test('K14: a plan is not carried out if another campaign moved the loop since', async () => {
  const other = await bench.add(bench.toPlan([['close', { C2V4: 40 }]]))
  const id = await approve()
  await bench.reach(id, 'verified')
  await bench.move('accept', id)
  bench.field.orders.length = 0
  await bench.move('approve', other)
  expect(await findAbort(other)).toMatchObject({ kind: 'refused', code: 'campaign.overtaken' })
  expect(bench.field.orders).toEqual([])
})

test('K9: a loop without its station counts as not measured', async () => {
  const observe = () => Promise.reject(new AppError('balance.no-station'))
  bench.start({ planner: { ...bench.needs.planner, observe } })
  const id = await bench.add(bench.toPlan(twoWaves))
  await bench.move('approve', id)
  expect(await findAbort(id)).toEqual({ kind: 'not-measured' })
})

const storeOtherFormat = (id: number) =>
  bench.db.updateTable('campaign_round').set({ format: 99 }).where('campaign_id', '=', id).execute()

test('a plan in the format of another server version aborts it, and its state can be accepted', async () => {
  const id = await bench.add(bench.toPlan(twoWaves))
  await bench.move('approve', id)
  await storeOtherFormat(id)
  bench.start()
  await bench.reach(id, 'aborted')
  expect((await bench.get(id)).abort).toMatchObject({ kind: 'refused', code: 'entity.stale' })
  await bench.move('accept', id)
  expect(await bench.get(id)).toMatchObject({ state: 'accepted' })
})

test('a partly executed plan in the format of another server version can be rolled back', async () => {
  const id = await approve()
  await bench.reach(id, 'verified')
  await storeOtherFormat(id)
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect([...bench.field.openings.values()]).toEqual(bench.serials.map(() => 50))
})
