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

test('K15: a change of head is its own wave, confirmed before the next wave, and rolled back with the others', async () => {
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

test('K15: a head is raised after the valves have moved', async () => {
  bench.field.isSlow = true
  const id = await approve('last', 60)
  await expect.poll(() => bench.field.orders.length).toBe(2)
  expect(bench.field.heads).toEqual([])
  bench.field.isSlow = false
  await bench.reach(id, 'verified')
  expect(bench.field.heads).toEqual([60])
})

test('K16: a pump without an answer aborts its campaign, because later waves are planned for its head', async () => {
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

test('K16: a rollback fails if the pump does not answer, and can be requested again', async () => {
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

test('K16: a head outside its limits, or a held pump, is refused before any wave of the round', async () => {
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

test('K17: a head set by somebody after the round was planned is not overridden, and stays in a rollback', async () => {
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

test('K17: a head set by somebody after the campaign’s own head is not overridden either', async () => {
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
const findPumpRollback = async (id: number) =>
  (await bench.get(id)).steps.filter(({ kind, pump }) => kind === 'back' && pump)

test('K18: if new limits exclude the old head, the rollback sets the nearest allowed one, and the wave shows both', async () => {
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  await limitPump({ min_head_kpa: 30, max_head_kpa: 46 })
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field).toMatchObject({ heads: [40, 46], headKpa: 46 })
  expect(new Set(bench.field.openings.values())).toEqual(new Set([50]))
  expect(await findPumpRollback(id)).toMatchObject([
    { pump: { fromKpa: 40, toKpa: 46, wantedKpa: 50 }, state: 'done', unanswered: 0 },
  ])
})

test('K18: if the limits allow no nearer head, the pump stays and counts as unanswered', async () => {
  const id = await approve('first', 40)
  await bench.reach(id, 'verified')
  await limitPump({ min_head_kpa: 30, max_head_kpa: 40 })
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
  expect(bench.field).toMatchObject({ heads: [40], headKpa: 40 })
  const [back] = await findPumpRollback(id)
  expect(back).toMatchObject({ pump: { fromKpa: 40, toKpa: 50 }, state: 'done', unanswered: 1 })
  expect(back).not.toHaveProperty('batchId')
  expect(back?.pump).not.toHaveProperty('wantedKpa')
})

test('K18: a rollback that does not move the pump cancels a queued command to the pump', async () => {
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
  await expect.poll(() => find().executeTakeFirst()).toMatchObject({ head_kpa: 40, state: 'cancelled' })
  bench.field.isAway = false
  await bench.settleCommands()
  expect(bench.field).toMatchObject({ heads: [], headKpa: 50 })
})
