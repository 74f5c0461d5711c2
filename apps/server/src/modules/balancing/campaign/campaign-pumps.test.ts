import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { afterTwoWaves, twoWaves, withHead } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

const toPump = (toKpa: number) => ({ deviceId: bench.toId('ST'), fromKpa: 50, toKpa })
async function approve(when: 'first' | 'last', toKpa: number): Promise<number> {
  bench.start()
  const id = await bench.add(withHead(bench.toPlan(twoWaves), when, toPump(toKpa)))
  await bench.move('approve', id)
  return id
}

test('K15: a head is one wave of its campaign, confirmed before the next, and turned back with it', async () => {
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  const { steps, station } = await bench.get(id)
  expect(station.pump).toEqual(toPump(40))
  expect(steps).toMatchObject([
    { kind: 'pump', pump: toPump(40), valves: 0, state: 'done', unanswered: 0 },
    { kind: 'open', valves: 2, state: 'done' },
    { kind: 'close', valves: 2, state: 'done' },
  ])
  expect(bench.field).toMatchObject({ heads: [40], headKpa: 40 })
  expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field).toMatchObject({ heads: [40, 50], headKpa: 50 })
  expect((await bench.get(id)).steps.slice(3)).toMatchObject([
    { kind: 'back', valves: 2, state: 'done' },
    { kind: 'back', valves: 2, state: 'done' },
    { kind: 'back', pump: { fromKpa: 40, toKpa: 50 }, state: 'done', unanswered: 0 },
  ])
})

test('K15: a head that rises is given once the valves stand', async () => {
  bench.field.isSlow = true
  const id = await approve('last', 60)
  await expect.poll(() => bench.field.orders.length).toBe(2)
  expect(bench.field.heads).toEqual([])
  bench.field.isSlow = false
  await bench.reach(id, 'verified')
  expect(bench.field.heads).toEqual([60])
})

test('K16: a pump that does not answer ends its campaign, for what follows is planned for its head', async () => {
  bench.field.broken.add('ST')
  const id = await approve('first', 40)
  await bench.reach(id, 'aborted')
  expect((await bench.get(id)).abort).toEqual({ kind: 'unanswered', share: 1 })
  expect(bench.field.orders).toEqual([])
  bench.field.broken.clear()
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field.headKpa).toBe(50)
})

test('K16: a way back on which the pump does not answer is none, and can be asked for again', async () => {
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  bench.field.broken.add('ST')
  await bench.move('rollback', id)
  await bench.reach(id, 'aborted')
  expect((await bench.get(id)).abort).toMatchObject({ kind: 'unanswered' })
  expect(bench.field.headKpa).toBe(40)
  expect(new Set(bench.field.openings.values())).toEqual(new Set([50]))
  bench.field.broken.clear()
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field.headKpa).toBe(50)
})

test('K16: a head outside of its limits, or held by somebody, is refused before anything of a round is given', async () => {
  const far = await approve('last', 900)
  await bench.reach(far, 'aborted')
  expect((await bench.get(far)).abort).toMatchObject({ kind: 'refused', code: 'command.head-outside' })
  expect(bench.field.orders).toEqual([])
  await bench.move('accept', far)
  const { deviceId } = toPump(50)
  const hold = { deviceId, headKpa: 50, reason: 'mine', holdUntil: bench.clock.now() + HOUR_MS }
  await bench.commands.setHead(await bench.act(), hold)
  await bench.settleCommands()
  const held = await approve('last', 60)
  await bench.reach(held, 'aborted')
  expect((await bench.get(held)).abort).toMatchObject({ kind: 'refused', code: 'command.held' })
  expect(bench.field.orders).toEqual([])
})

test('K17: a head that somebody sets after the round was planned is not overrun, and stays when it is turned back', async () => {
  const early = withHead(bench.toPlan(twoWaves), 'last', toPump(60))
  await bench.commands.setHead(await bench.act(), { deviceId: bench.toId('ST'), headKpa: 45, reason: 'mine' })
  await bench.settleCommands()
  bench.start()
  const stale = await bench.add(early)
  await bench.move('approve', stale)
  await bench.reach(stale, 'aborted')
  expect((await bench.get(stale)).abort).toMatchObject({ kind: 'refused', code: 'campaign.outdated' })
  await bench.move('accept', stale)
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  await bench.commands.setHead(await bench.act(), { deviceId: bench.toId('ST'), headKpa: 47, reason: 'mine' })
  await bench.settleCommands()
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field.headKpa).toBe(47)
})

test('K17: nor is one that is set once the campaign has set its own: what follows is planned for that', async () => {
  const id = await approve('first', 40)
  await expect.poll(() => bench.field.headKpa).toBe(40)
  bench.field.isSlow = true
  await expect.poll(() => bench.field.orders.length).toBe(2)
  await bench.commands.setHead(await bench.act(), { deviceId: bench.toId('ST'), headKpa: 47, reason: 'mine' })
  bench.field.isSlow = false
  await bench.reach(id, 'aborted')
  expect((await bench.get(id)).abort).toMatchObject({ kind: 'refused', code: 'campaign.outdated' })
  expect(bench.field.orders).toHaveLength(2)
})

const limitPump = (limits: { readonly min_head_kpa: number; readonly max_head_kpa: number }) => {
  const row = { device_id: toPump(0).deviceId, max_step_kpa: 80, ...limits }
  onTestFinished(() =>
    bench.db
      .deleteFrom('pump_limit')
      .execute()
      .then(() => undefined),
  )
  return bench.db.insertInto('pump_limit').values(row).execute()
}
const backOf = async (id: number) =>
  (await bench.get(id)).steps.filter(({ kind, pump }) => kind === 'back' && pump)

test('K18: a head that its limits allow no more is brought as near as they do, and says so', async () => {
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  await limitPump({ min_head_kpa: 30, max_head_kpa: 46 })
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field).toMatchObject({ heads: [40, 46], headKpa: 46 })
  expect(new Set(bench.field.openings.values())).toEqual(new Set([50]))
  expect(await backOf(id)).toMatchObject([
    { pump: { fromKpa: 40, toKpa: 46, wantedKpa: 50 }, state: 'done', unanswered: 0 },
  ])
})

test('K18: a head to which its limits lead no nearer stays, and is counted', async () => {
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  await limitPump({ min_head_kpa: 30, max_head_kpa: 40 })
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field).toMatchObject({ heads: [40], headKpa: 40 })
  const [back] = await backOf(id)
  expect(back).toMatchObject({ pump: { fromKpa: 40, toKpa: 50 }, state: 'done', unanswered: 1 })
  expect(back).not.toHaveProperty('batchId')
  expect(back?.pump).not.toHaveProperty('wantedKpa')
})

test('K18: an order that waits for a pump that is left is cancelled by the way back, not brought later', async () => {
  bench.field.isAway = true
  const id = await approve('first', 40)
  const { deviceId } = toPump(40)
  const find = () =>
    bench.db
      .selectFrom('command')
      .where('device_id', '=', deviceId)
      .orderBy('rev', 'desc')
      .select(['head_kpa', 'state'])
  await expect.poll(() => find().executeTakeFirst()).toMatchObject({ head_kpa: 40, state: 'queued' })
  await limitPump({ min_head_kpa: 30, max_head_kpa: 40 })
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(await find().executeTakeFirst()).toMatchObject({ head_kpa: 40, state: 'cancelled' })
  bench.field.isAway = false
  await bench.settleCommands()
  expect(bench.field).toMatchObject({ heads: [], headKpa: 50 })
})
