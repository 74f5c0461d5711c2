import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { afterTwoWaves, createTestPlanner, twoWaves } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'
import { checkCampaignMove, moveCampaign, putPlan } from './storage/campaign-changes.pg.ts'
import { listCampaigns } from './storage/campaign-queries.pg.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

const waves = [...twoWaves, ['close', { C1V3: 30 }]] as const

const approve = async (): Promise<number> => {
  const id = await bench.add(bench.toPlan(waves))
  await bench.move('approve', id)
  return id
}
const openings = () => Object.fromEntries(bench.field.openings)
const before = () => Object.fromEntries(bench.serials.map((serial) => [serial, 50]))
const after = { ...afterTwoWaves, C1V3: 30 }

/** Openings that were sent, by serial, one record per batch (wave), in the order of the batches. */
async function listWaves(): Promise<Record<string, number>[]> {
  const ids = bench.field.orders.map(({ id }) => id)
  const rows = await bench.db
    .selectFrom('command')
    .where('id', 'in', ids)
    .select(['id', 'batch_id'])
    .execute()
  const batchOf = new Map(rows.map((row) => [row.id, row.batch_id]))
  const byBatch = Map.groupBy(bench.field.orders, ({ id }) => batchOf.get(id))
  return [...byBatch.values()].map((orders) =>
    Object.fromEntries(orders.map(({ serial, openingPct }) => [serial, openingPct])),
  )
}

test('K4: an approved plan is carried out wave by wave, verified and accepted', async () => {
  bench.start()
  const id = await approve()
  await bench.reach(id, 'verified')
  expect(openings()).toEqual({ ...before(), ...after })
  const campaign = await bench.get(id)
  expect(campaign).toMatchObject({
    round: 1,
    moves: 5,
    moved: 5,
    valves: 8,
    excluded: 0,
    approvedBy: 'balancer',
  })
  const tookMs = (campaign.history.at(-1)?.at ?? 0) - (campaign.approvedAt ?? Number.NaN)
  expect(tookMs).toBeGreaterThan(0)
  expect(campaign.indices.after).toEqual({
    sigmaReturnK: 1,
    hoursToBalance: expect.closeTo(tookMs / HOUR_MS, 9),
  })
  expect(campaign.history.map(({ event }) => event)).toEqual([
    'plan',
    'approve',
    'wave-given',
    'wave-ended',
    'wave-given',
    'wave-ended',
    'wave-given',
    'wave-ended',
    'settle',
    'verified',
  ])
  await bench.move('accept', id)
  expect(await bench.get(id)).toMatchObject({ state: 'accepted', endedAt: expect.any(Number) })
})

test('moves and travel of a campaign count all of its rounds, and its rollback', async () => {
  const counted = { sigmaReturnK: 1, movesPerValve: 0.5, travelPerValve: 0.1 }
  const planner = createTestPlanner(bench.readings, bench.clock)
  bench.start({
    planner: {
      ...planner,
      verify: async (...order) => ({ ...(await planner.verify(...order)), indices: counted }),
    },
  })
  const withIndices = (plan: ReturnType<typeof bench.toPlan>) => ({
    ...plan,
    indices: { before: { sigmaReturnK: 1 }, expected: counted },
  })
  const id = await bench.add(withIndices(bench.toPlan(waves)))
  await bench.move('approve', id)
  await bench.reach(id, 'verified')
  // Five moves of 8 valves: by 10, 15, 10, 15 and 20 % of a stroke.
  const first = await bench.get(id)
  expect(first.movesMade).toBe(5)
  expect(first.indices.after?.movesPerValve).toBeCloseTo(5 / 8, 12)
  expect(first.indices.after?.travelPerValve).toBeCloseTo(0.7 / 8, 12)
  expect(first.indices.expected.movesPerValve).toBe(0.5)
  const trim = withIndices(bench.toPlan([['open', { C1V3: 35 }]]))
  await putPlan(
    bench.db,
    'trim',
    { move: { id, version: first.version, ...bench.who() }, plan: trim },
    bench.toOperation('trimCampaign'),
  )
  await bench.reach(id, 'verified')
  const trimmed = await bench.get(id)
  expect(trimmed).toMatchObject({ round: 2, moves: 1, movesMade: 6 })
  expect(trimmed.indices.after?.movesPerValve).toBeCloseTo(6 / 8, 12)
  expect(trimmed.indices.expected.movesPerValve).toBeCloseTo(0.5 + 5 / 8, 12)
  expect(trimmed.indices.expected.travelPerValve).toBeCloseTo(0.1 + 0.7 / 8, 12)
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  const back = await bench.get(id)
  expect(back.movesMade).toBe(
    6 + back.steps.filter(({ kind }) => kind === 'back').reduce((sum, { valves }) => sum + valves, 0),
  )
})

test('K5: a rollback restores every valve to its opening before the first round, the last wave first', async () => {
  bench.start()
  const id = await approve()
  await bench.reach(id, 'verified')
  const { version } = await bench.get(id)
  const trim = bench.toPlan([
    ['open', { C1V3: 35 }],
    ['close', { C1V1: 55, C2V3: 45 }],
  ])
  await putPlan(
    bench.db,
    'trim',
    { move: { id, version, ...bench.who() }, plan: trim },
    bench.toOperation('trimCampaign'),
  )
  await bench.reach(id, 'verified')
  expect(openings()).toEqual({ ...before(), ...after, C1V3: 35, C1V1: 55, C2V3: 45 })
  const trimmed = await bench.get(id)
  expect(trimmed).toMatchObject({ round: 2, moves: 3, moved: 3 })
  expect(trimmed.members.map((member) => member.before.openingPct)).toEqual(bench.serials.map(() => 50))
  bench.field.orders.length = 0
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(openings()).toEqual(before())
  expect(await listWaves()).toEqual([
    { C1V1: 60, C2V3: 50 },
    { C1V3: 30 },
    { C1V3: 50 },
    { C1V2: 50, C2V2: 50 },
    { C1V1: 50, C2V1: 50 },
  ])
  expect(await bench.get(id)).toMatchObject({ round: 3, moves: 6, moved: 6, endedAt: expect.any(Number) })
})

test('K5: a rollback includes commands without an answer, and leaves out valves without a command', async () => {
  bench.start()
  bench.field.isSlow = true
  const id = await approve()
  await expect.poll(() => bench.field.orders.length).toBe(2)
  await bench.move('rollback', id)
  await expect.poll(() => bench.field.orders.length).toBe(4)
  bench.field.isSlow = false
  await bench.reach(id, 'rolled-back')
  expect(await listWaves()).toEqual([
    { C1V1: 60, C2V1: 65 },
    { C1V1: 50, C2V1: 50 },
  ])
  expect(openings()).toEqual(before())
})

test('K6: a valve that accepts no command does not block the rollback of others, and counts as unanswered', async () => {
  bench.start()
  const id = await approve()
  await bench.reach(id, 'verified')
  const held = { targets: [{ deviceId: bench.toId('C1V1'), openingPct: 70 }], reason: 'test' }
  const acting = await bench.act()
  await bench.commands.send(acting, {
    ...held,
    priority: 'manual',
    holdUntil: bench.clock.now() + DAY_MS,
  })
  await bench.settleCommands()
  bench.field.broken.add('C1V2')
  await bench.move('rollback', id)
  await bench.reach(id, 'aborted')
  expect(openings()).toEqual({ ...before(), C1V1: 70, C1V2: 40 })
  const { steps, abort } = await bench.get(id)
  expect(steps.filter(({ kind }) => kind === 'back').map(({ unanswered }) => unanswered)).toEqual([0, 1, 1])
  expect(abort).toEqual({ kind: 'unanswered', share: 0.4 })

  // Once it accepts commands again, the rollback can be requested again.
  await bench.db.deleteFrom('valve_hold').execute()
  bench.field.broken.clear()
  bench.field.orders.length = 0
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  // The hold came with a later command, so the rollback leaves the opening of this valve, even after the hold has ended.
  expect(openings()).toEqual({ ...before(), C1V1: 70 })
  expect(await listWaves()).toEqual([{ C1V2: 50, C2V2: 50, C1V3: 50 }, { C2V1: 50 }])
  expect(await bench.get(id)).toMatchObject({ round: 3, moves: 5, moved: 4 })
})

const limit = (deviceId: number, minPct: number) =>
  bench.db.updateTable('device').set({ min_opening_pct: minPct }).where('id', '=', deviceId).execute()

test.each([
  {
    what: 'accepts no command',
    async leaveOut(deviceId: number) {
      onTestFinished(() => limit(deviceId, 10).then(() => undefined))
      await limit(deviceId, 55)
    },
  },
  {
    what: 'was set by other means since',
    async leaveOut(deviceId: number) {
      const call = { ...createTestCall(), ...(await bench.act()) }
      await bench.commands.recordOpenings(call, [{ deviceId, openingPct: 45 }])
    },
  },
])(
  'K6: an order that waits for a valve that $what is cancelled by the rollback, and not sent later',
  async ({ leaveOut }) => {
    const deviceId = bench.toId('S1')
    const plan = bench.toPlan([['open', { C1V1: 60 }]])
    const move = { deviceId, fromPct: 50, toPct: 65 }
    const steps = plan.steps.map((step) => ({ ...step, moves: [...step.moves, move] }))
    bench.start()
    const id = await bench.add({ ...plan, steps })
    await bench.move('approve', id)
    await expect.poll(() => bench.field.openings.get('C1V1')).toBe(60)
    const orders = bench.db.selectFrom('command').where('device_id', '=', deviceId).orderBy('id', 'desc')
    const findOrder = () => orders.select(['id', 'opening_pct', 'state']).executeTakeFirstOrThrow()
    const given = await findOrder()
    expect(given).toMatchObject({ opening_pct: 65, state: 'queued' })
    await leaveOut(deviceId)
    await bench.move('rollback', id)
    await bench.reach(id, 'rolled-back')
    expect(await findOrder()).toEqual({ ...given, state: 'cancelled' })
    expect(openings()).toEqual(before())
    const noted = bench.db
      .selectFrom('operation_change')
      .innerJoin('operation', 'operation.id', 'operation_id')
      .where('entity_id', '=', given.id)
      .orderBy('operation_change.id', 'desc')
    const change = await noted.select(['endpoint', 'account', 'before', 'after']).executeTakeFirst()
    expect(change).toEqual({
      endpoint: 'campaign',
      account: 'balancer',
      before: { state: 'queued' },
      after: { state: 'cancelled' },
    })
  },
)

test('K7: a paused campaign sends nothing, and continues where it was', async () => {
  bench.start()
  bench.field.isSlow = true
  const id = await approve()
  await expect.poll(() => bench.field.orders.length).toBe(2)
  await bench.move('pause', id)
  bench.field.isSlow = false
  await expect.poll(async () => (await bench.get(id)).moved).toBe(2)
  bench.settings.aheadMs += 10_000
  await bench.settleCommands()
  expect(bench.field.orders).toHaveLength(2)
  expect(await bench.get(id)).toMatchObject({
    state: 'paused',
    steps: [{ state: 'given' }, { state: 'waiting' }, {}],
  })
  await bench.move('resume', id)
  await bench.reach(id, 'verified')
  expect(openings()).toEqual({ ...before(), ...after })
  expect(bench.field.orders).toHaveLength(5)
})

test('K3: of two campaigns of a loop only one runs; the other can be approved once that one has ended', async () => {
  const [first, second] = [await bench.add(bench.toPlan(waves)), await bench.add(bench.toPlan(waves))]
  const both = await Promise.allSettled([bench.move('approve', first), bench.move('approve', second)])
  const [taken] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const isFirst = both[0].status === 'fulfilled'
  const [winner, loser] = isFirst ? [first, second] : [second, first]
  expect(taken).toMatchObject({
    code: 'campaign.loop-taken',
    params: { station: '换热站', campaign: String(winner) },
  })
  bench.start()
  await bench.reach(winner, 'verified')
  await expect(bench.move('approve', loser)).rejects.toMatchObject({ code: 'campaign.loop-taken' })
  await bench.move('accept', winner)
  await bench.move('approve', loser)
  await bench.move('rollback', loser)
  await bench.reach(loser, 'rolled-back')
})

test('a draft is approved in the version that the caller read, and not when it is too old', async () => {
  const id = await bench.add(bench.toPlan(waves))
  const move = { id, version: 1, ...bench.who() }
  const operation = () => bench.toOperation('test')
  await checkCampaignMove(bench.db, 'replan', move)
  await putPlan(bench.db, 'replan', { move, plan: bench.toPlan([['close', { C1V1: 45 }]]) }, operation())
  await expect(moveCampaign(bench.db, 'approve', move, operation())).rejects.toMatchObject({
    code: 'entity.stale',
  })
  await expect(bench.move('pause', id)).rejects.toMatchObject({ code: 'campaign.not-now' })
  await expect(moveCampaign(bench.db, 'approve', { ...move, id: id + 1 }, operation())).rejects.toMatchObject(
    {
      code: 'campaign.not-found',
    },
  )
  expect(await bench.get(id)).toMatchObject({ state: 'draft', moves: 1, version: 2 })
  bench.settings.aheadMs += 3_700_000
  await expect(bench.move('approve', id)).rejects.toMatchObject({ code: 'campaign.not-now' })
  await bench.move('discard', id)
  expect(await bench.get(id)).toMatchObject({ state: 'discarded' })
})

test('K8: the operation log has a campaign’s own actions in the name of its approver', async () => {
  bench.start()
  const id = await approve()
  await bench.reach(id, 'verified')
  const rows = await bench.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .where('entity', '=', 'campaign')
    .where('entity_id', '=', String(id))
    .orderBy('operation_change.id')
    .select(['endpoint', 'account', 'after'])
    .execute()
  expect(rows.map(({ endpoint, account, after: now }) => [endpoint, account, now?.state])).toEqual([
    ['addCampaign', 'balancer', 'draft'],
    ['approveCampaign', 'balancer', 'executing'],
    ['campaign', 'balancer', 'settling'],
    ['campaign', 'balancer', 'verified'],
  ])
  const batches = bench.db.selectFrom('command_batch').orderBy('id', 'desc').limit(3)
  const given = await batches.select(['actor', 'priority', 'account_id']).execute()
  const expected = { actor: 'balancer', priority: 'balancing', account_id: bench.accountId }
  expect(given).toEqual([expected, expected, expected])
})

test('campaigns are listed at, above and below the granted nodes', async () => {
  const id = await bench.add(bench.toPlan(waves))
  const { nodePath } = bench.place
  const limiter = { page: 1, size: 10 }
  const list = async (paths: readonly string[], granted = [nodePath]) => {
    const { rows, total } = await listCampaigns(
      bench.db,
      { kind: 'paths', paths: granted },
      { paths, limiter },
    )
    expect(rows).toHaveLength(total)
    return rows.map((row) => row.id)
  }
  expect(await list([nodePath])).toEqual([id])
  expect(await list([bench.place.stationPath])).toEqual([id])
  expect(await list([`${nodePath}987654/`])).toEqual([id])
  expect(await list([`${nodePath.slice(0, -1)}9/`])).toEqual([])
  expect(await list([nodePath], [`${nodePath}987654/`])).toEqual([])
  const all = { scope: { kind: 'all' } as const, limiter }
  expect((await listCampaigns(bench.db, all.scope, { kinds: ['flow'], limiter })).total).toBe(0)
  expect(
    (await listCampaigns(bench.db, all.scope, { states: ['draft'], kinds: ['temperature'], limiter })).total,
  ).toBe(1)
})
