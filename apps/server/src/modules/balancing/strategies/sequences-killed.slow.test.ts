import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDeath } from '../campaign/death.testkit.ts'
import type { StrategyRunnerNeeds } from './run/runner.ts'
import { day, listLevels, listStates, night, school, turnTo } from './sequence.testkit.ts'
import { type StrategiesBench, startStrategiesBench } from './strategies.testkit.ts'

let bench: StrategiesBench
beforeAll(async () => {
  bench = await startStrategiesBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

const LEASE_MS = 31_000

type Place = 'rights' | 'planned' | 'checked' | 'previewed' | 'moving' | 'moved' | 'found'
type Stop = readonly [place: Place, nth: number]

/** Dependencies of a runner that dies at the `nth` time of an action. */
function createMortal([place, nth]: Stop) {
  const { dead, pass } = createDeath(place, nth)
  const { needs } = bench
  const given: Partial<StrategyRunnerNeeds> = {
    async findAccess(accountId) {
      await pass('rights')
      return needs.findAccess(accountId)
    },
    planner: {
      ...needs.planner,
      async plan(...args) {
        const plan = await needs.planner.plan(...args)
        await pass('planned')
        return plan
      },
    },
    commands: {
      ...needs.commands,
      async preview(...args) {
        const answer = await needs.commands.preview(...args)
        await pass('previewed')
        return answer
      },
    },
    async findCampaign(id) {
      const found = await needs.findCampaign(id)
      await pass('found')
      return found
    },
    async checkApproval(move) {
      await needs.checkApproval(move)
      await pass('checked')
    },
    async moveCampaign(...args) {
      await pass('moving')
      await needs.moveCampaign(...args)
      await pass('moved')
    },
  }
  return { given, dead }
}

const deaths: readonly Stop[] = [
  ['rights', 1],
  ['rights', 2],
  ['planned', 1],
  ['found', 1],
  ['checked', 1],
  ['previewed', 1],
  ['previewed', 2],
  ['moving', 1],
  ['moved', 1],
  ['found', 2],
  ['moving', 2],
  ['moved', 2],
]

test.each(deaths)(
  'T13: after a kill at %s (time %i) another runner takes over: the slot has one campaign, no valve two commands',
  async (...stop) => {
    turnTo(bench, day)
    bench.carryOut()
    const { given, dead } = createMortal(stop)
    const mortal = bench.start(given)
    const id = await bench.run(school)
    await dead
    bench.drop(mortal)
    bench.start()
    bench.settings.aheadMs += LEASE_MS
    await bench.reach(id, { last: 'done' })
    expect(await listStates(bench)).toEqual(['accepted'])
    expect(bench.field.orders.map(({ serial }) => serial).sort()).toEqual(['C1V1', 'C1V2', 'C2V1', 'C2V2'])
    const { history } = await bench.get(id)
    expect(history.map(({ event }) => event)).toEqual(['add', 'start', 'began', 'done'])
  },
)

test('T13: a runner that returns after a pause or a takeover starts nothing', async () => {
  turnTo(bench, day)
  const reached = Promise.withResolvers<void>()
  const hold = Promise.withResolvers<void>()
  bench.start({
    planner: {
      ...bench.needs.planner,
      async plan(...args) {
        reached.resolve()
        await hold.promise
        return bench.needs.planner.plan(...args)
      },
    },
  })
  const id = await bench.run(school)
  await reached.promise
  await bench.move('pause', id)
  hold.resolve()
  await expect.poll(() => bench.plannedModes.length).toBe(1)
  bench.carryOut()
  bench.start()
  await bench.move('start', id)
  await bench.reach(id, { last: 'done' })
  expect(await listStates(bench)).toEqual(['accepted'])
})

test('T18: a draft whose slot is over when servers are back is discarded', async () => {
  const { given, dead } = createMortal(['previewed', 2])
  turnTo(bench, day)
  const mortal = bench.start(given)
  const id = await bench.run(school)
  await dead
  bench.drop(mortal)
  expect(await listStates(bench)).toEqual(['draft'])
  turnTo(bench, night)
  bench.carryOut()
  bench.start()
  await bench.reach(id, { last: 'done' })
  expect(await listStates(bench)).toEqual(['discarded', 'accepted'])
  expect(listLevels(bench)).toEqual([[day], [night]])
})
