import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { twoWaves } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'
import { findCulprits } from './storage/culprits.pg.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

/** Runs a campaign until it aborts. Returns its id. */
async function runUntilAborted(): Promise<number> {
  bench.start()
  const id = await bench.add(bench.toPlan(twoWaves))
  await bench.move('approve', id)
  await bench.reach(id, 'aborted')
  await bench.settleCommands()
  return id
}

async function rollBack(id: number): Promise<void> {
  await bench.move('rollback', id)
  await bench.reach(id, 'rolled-back')
}

/** Culprits by serial, since an instant. */
async function culpritsSince(since = 0): Promise<Record<string, string>> {
  const found = await findCulprits(bench.db, bench.place.stationNodeId, since)
  const serialOf = new Map(bench.serials.map((serial) => [bench.toId(serial), serial]))
  return Object.fromEntries([...found].map(([id, why]) => [serialOf.get(id) ?? '', why]))
}

async function send(serial: string, openingPct: number, priority: 'balancing' | 'manual'): Promise<void> {
  const targets = [{ deviceId: bench.toId(serial), openingPct }]
  await bench.commands.send(await bench.act(), { targets, reason: 'test', priority })
  await bench.settleCommands()
}

test('buildings that starved are culprits, also after the rollback, for as long as they are remembered', async () => {
  bench.readings.flowM3H = 0.05
  const id = await runUntilAborted()
  const all = Object.fromEntries(bench.serials.map((serial) => [serial, 'starved-before']))
  expect(await culpritsSince()).toEqual(all)
  await rollBack(id)
  expect(await culpritsSince()).toEqual(all)
  expect(await culpritsSince(bench.clock.now())).toEqual({})
  expect((await findCulprits(bench.db, bench.place.stationNodeId + 1, 0)).size).toBe(0)
})

test('valves that did not answer are culprits until they moved and confirmed another command', async () => {
  bench.field.broken.add('C1V1').add('C2V1')
  const id = await runUntilAborted()
  const both = { C1V1: 'unanswered-before', C2V1: 'unanswered-before' }
  expect(await culpritsSince()).toEqual(both)
  bench.field.broken.clear()
  // They are ordered to where they are, and confirm it: that shows nothing.
  await rollBack(id)
  expect(await culpritsSince()).toEqual(both)
  await send('C1V1', 70, 'balancing')
  expect(await culpritsSince()).toEqual({ C2V1: 'unanswered-before' })
})

test('a valve that answered and did not arrive is stuck for the next plans, until it moves', async () => {
  bench.field.blocked.add('C1V1')
  bench.field.broken.add('C1V2').add('C2V2')
  await runUntilAborted()
  const silent = { C1V2: 'unanswered-before', C2V2: 'unanswered-before' }
  expect(await culpritsSince()).toEqual({ C1V1: 'stuck', ...silent })
  await send('C1V1', 70, 'balancing')
  expect(await culpritsSince()).toEqual({ C1V1: 'stuck', ...silent })
  bench.field.blocked.clear()
  await send('C1V1', 60, 'balancing')
  expect(await culpritsSince()).toEqual(silent)
})

test('a command by hand releases a culprit once it is confirmed', async () => {
  bench.field.broken.add('C1V1').add('C2V1')
  await runUntilAborted()
  await send('C1V1', 50, 'manual')
  expect(Object.keys(await culpritsSince())).toEqual(['C1V1', 'C2V1'])
  bench.field.broken.clear()
  await send('C1V1', 50, 'manual')
  expect(Object.keys(await culpritsSince())).toEqual(['C2V1'])
})
