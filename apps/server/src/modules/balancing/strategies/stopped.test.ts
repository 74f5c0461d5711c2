import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { twoWaves } from '../campaign/campaign-plan.testkit.ts'
import { listStopped } from '../stopped.pg.ts'
import { byReturns, type StrategiesBench, startStrategiesBench } from './strategies.testkit.ts'

let bench: StrategiesBench
beforeAll(async () => {
  bench = await startStrategiesBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

/** Stopped rows with the ids of strategy and campaign. */
const list = async () => (await listStopped(bench.db)).map(({ what, balance }) => ({ what, ...balance }))

/** A strategy whose campaign aborts: its id and that of the campaign. */
async function halt() {
  bench.readings.headKpa = 90
  bench.carryOut()
  const runner = bench.start()
  const id = await bench.run(byReturns)
  const { last } = await bench.reach(id, { state: 'paused' })
  await runner.close()
  return { id, campaign: last?.campaign ?? 0 }
}

test('T19: a halted strategy is listed with its campaign and its node until it is started', async () => {
  const { id, campaign } = await halt()
  const { nodePath } = bench.place
  expect(await listStopped(bench.db)).toEqual([
    {
      what: 'strategy',
      nodeId: expect.any(Number),
      path: nodePath,
      tenant: 'test',
      balance: { kind: 'temperature', strategy: id, campaign },
    },
  ])
  // Its campaign keeps the loop, and the strategy waits for a decision about it.
  await bench.move('start', id)
  expect(await list()).toEqual([{ what: 'campaign', kind: 'temperature', strategy: id, campaign }])
  await bench.moveCampaign('accept', campaign)
  expect(await list()).toEqual([])
  // A strategy paused by a person has not halted, whatever happened before.
  await bench.move('pause', id)
  expect(await list()).toEqual([])
})

test('T19: a strategy ended by a person is not listed, but its campaign is while it has the loop', async () => {
  const { id, campaign } = await halt()
  await bench.move('end', id)
  expect(await list()).toEqual([{ what: 'campaign', kind: 'temperature', strategy: id, campaign }])
  await bench.moveCampaign('rollback', campaign)
  expect(await list()).toEqual([])
})

test('T19: another strategy of the loop that starts later replaces it', async () => {
  const { campaign } = await halt()
  await bench.moveCampaign('accept', campaign)
  const other = await bench.run(byReturns)
  expect(await list()).toEqual([])
  await bench.move('end', other)
  expect(await list()).toEqual([])
})

test('T19: a strategy without access is listed, and one whose campaign was rolled back by a person is not', async () => {
  bench.carryOut()
  const refused = bench.start({ findAccess: async () => undefined })
  const id = await bench.run(byReturns)
  await bench.reach(id, { state: 'paused' })
  expect(await list()).toEqual([{ what: 'strategy', kind: 'temperature', strategy: id }])
  await refused.close()
  bench.field.isSlow = true
  bench.start()
  await bench.move('start', id)
  await expect.poll(() => bench.field.orders.length).toBeGreaterThan(0)
  const { campaign } = await bench.get(id)
  await bench.moveCampaign('rollback', campaign ?? 0)
  bench.field.isSlow = false
  expect((await bench.reach(id, { state: 'paused' })).last).toMatchObject({ kind: 'turned-back' })
  expect(await list()).toEqual([])
})

test('an aborted campaign of a person is listed until somebody decides about it', async () => {
  const id = await bench.addCampaign(bench.toPlan(twoWaves))
  expect(await list()).toEqual([])
  bench.readings.headKpa = 90
  bench.carryOut()
  await bench.moveCampaign('approve', id)
  await expect.poll(async () => (await bench.getCampaign(id)).state).toBe('aborted')
  expect(await list()).toEqual([{ what: 'campaign', kind: 'temperature', campaign: id }])
  await bench.moveCampaign('accept', id)
  expect(await list()).toEqual([])
})
