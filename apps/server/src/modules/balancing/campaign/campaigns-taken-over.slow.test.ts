import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExtraWrites } from '../../commands/index.ts'
import { afterTwoWaves, twoWaves, withHead } from './campaign-plan.testkit.ts'
import { type CampaignsBench, startCampaignsBench } from './campaigns.testkit.ts'
import { createDeath } from './death.testkit.ts'
import type { RunnerNeeds } from './run/runner.ts'

let bench: CampaignsBench
beforeAll(async () => {
  bench = await startCampaignsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())

/** Longer than the lease of a campaign. */
const LEASE_MS = 31_000

/** Actions of a runner, about to happen or just done, at which its process dies. */
type Action = 'rights' | 'order' | 'stored' | 'ordered' | 'watched' | 'observed' | 'verified' | 'previewed'

/** Dependencies of a runner that dies at the `nth` time of an action. */
function createMortal(action: Action, nth: number) {
  const { dead, isNextAt, pass } = createDeath(action, nth)
  const { needs } = bench
  /** A runner that dies before a command, within its transaction, or after it. */
  const mortally =
    <Call, Order, Answer>(give: (call: Call, order: Order, beside?: ExtraWrites) => Promise<Answer>) =>
    async (call: Call, order: Order, beside?: ExtraWrites): Promise<Answer> => {
      await pass('order')
      let isStored = false
      try {
        const answer = await give(call, order, async (transaction, batchId) => {
          await beside?.(transaction, batchId)
          // The database rolls back what a process leaves unfinished.
          if (isNextAt('stored')) isStored = true
          if (isStored) throw new Error('gone')
        })
        await pass('ordered')
        return answer
      } catch (error) {
        if (isStored) await pass('stored')
        throw error
      }
    }
  const given: Partial<RunnerNeeds> = {
    async findAccess(accountId) {
      await pass('rights')
      return needs.findAccess(accountId)
    },
    commands: {
      ...needs.commands,
      send: mortally(needs.commands.send),
      setHead: mortally(needs.commands.setHead),
      async preview(caller, order) {
        const answer = await needs.commands.preview(caller, order)
        await pass('previewed')
        return answer
      },
    },
    batches: {
      async get(caller, id) {
        const batch = await needs.batches.get(caller, id)
        await pass('watched')
        return batch
      },
    },
    planner: {
      async observe(...args) {
        const seen = await needs.planner.observe(...args)
        await pass('observed')
        return seen
      },
      async verify(...args) {
        const verification = await needs.planner.verify(...args)
        await pass('verified')
        return verification
      },
    },
  }
  return { given, dead }
}

const deaths: readonly (readonly [action: Action, nth: number])[] = [
  ['rights', 2],
  ['order', 1],
  ['stored', 1],
  ['ordered', 1],
  ['ordered', 2],
  ['watched', 1],
  ['observed', 1],
  ['observed', 2],
  ['verified', 1],
]
const deathsDuringRollback: readonly (readonly [action: Action, nth: number])[] = [
  ['rights', 1],
  ['previewed', 2],
  ['stored', 1],
  ['ordered', 1],
  ['ordered', 2],
  ['watched', 1],
]

/** Starts a runner that dies at an action, and another one that takes over once the lease has ended. */
async function dieAndTakeOver(action: Action, nth: number, begin: () => Promise<void>): Promise<void> {
  const { given, dead } = createMortal(action, nth)
  const mortal = bench.start(given)
  await begin()
  await dead
  bench.drop(mortal)
  await bench.settleCommands()
  bench.start()
  bench.settings.aheadMs += LEASE_MS
}

test.each(deaths)(
  'K11: after a kill at %s (time %i) another runner takes over, and no valve gets a command twice',
  async (action, nth) => {
    const id = await bench.add(bench.toPlan(twoWaves))
    await dieAndTakeOver(action, nth, () => bench.move('approve', id))
    await bench.reach(id, 'verified')
    expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
    expect((await bench.get(id)).steps).toMatchObject([{ state: 'done' }, { state: 'done' }])
  },
)

test.each(deathsDuringRollback)(
  'K11: after a kill at %s (time %i) of a rollback another runner takes over, and no valve gets a command twice',
  async (action, nth) => {
    const first = bench.start()
    const id = await bench.add(bench.toPlan(twoWaves))
    await bench.move('approve', id)
    await bench.reach(id, 'verified')
    await bench.stop(first)
    bench.field.orders.length = 0
    await dieAndTakeOver(action, nth, () => bench.move('rollback', id))
    await bench.reach(id, 'rolled-back')
    expect(bench.listOrders()).toEqual(
      Object.keys(afterTwoWaves)
        .map((serial) => [serial, 50])
        .sort(),
    )
    expect(Object.fromEntries(bench.field.openings)).toEqual(
      Object.fromEntries(bench.serials.map((serial) => [serial, 50])),
    )
  },
)

const lowered = () =>
  withHead(bench.toPlan(twoWaves), 'first', { deviceId: bench.toId('ST'), fromKpa: 50, toKpa: 40 })

test.each([
  ['order', 1],
  ['stored', 1],
  ['ordered', 1],
  ['watched', 1],
  ['observed', 1],
] as const)(
  'K11: after a kill at %s (time %i) of a pump command another runner takes over, and no head is sent twice',
  async (action, nth) => {
    const id = await bench.add(lowered())
    await dieAndTakeOver(action, nth, () => bench.move('approve', id))
    await bench.reach(id, 'verified')
    expect(bench.field.heads).toEqual([40])
    expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
  },
)

test.each([
  ['order', 3],
  ['ordered', 3],
] as const)(
  'K11: after a kill at %s (time %i) of a rollback of the pump another runner takes over',
  async (action, nth) => {
    const first = bench.start()
    const id = await bench.add(lowered())
    await bench.move('approve', id)
    await bench.reach(id, 'verified')
    await bench.stop(first)
    await dieAndTakeOver(action, nth, () => bench.move('rollback', id))
    await bench.reach(id, 'rolled-back')
    expect(bench.field.heads).toEqual([40, 50])
  },
)

/** A runner whose first command waits until the test releases it, and its result. */
function startSlow() {
  const reached = Promise.withResolvers<void>()
  const hold = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const runner = bench.start({
    commands: {
      ...bench.needs.commands,
      async send(...args) {
        reached.resolve()
        await hold.promise
        const given = bench.needs.commands.send(...args)
        given.then(ended.resolve, ended.resolve)
        return given
      },
    },
  })
  async function letGo(): Promise<unknown> {
    hold.resolve()
    return ended.promise
  }
  return { runner, reached: reached.promise, letGo }
}

test('K12: a runner that returns after another took over stores and sends nothing', async () => {
  const { runner, reached, letGo } = startSlow()
  const id = await bench.add(bench.toPlan(twoWaves))
  await bench.move('approve', id)
  await reached
  bench.start()
  bench.settings.aheadMs += LEASE_MS
  const { field } = bench
  await expect.poll(() => field.orders.length).toBe(2)
  field.isSlow = true
  await expect.poll(() => field.orders.length).toBe(4)
  expect(await letGo()).toMatchObject({ name: 'LostCampaign' })
  field.isSlow = false
  await bench.stop(runner)
  await bench.reach(id, 'verified')
  expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
})

test('K12: a campaign paused while its next wave is being stored sends none', async () => {
  const { reached, letGo } = startSlow()
  const id = await bench.add(bench.toPlan(twoWaves))
  await bench.move('approve', id)
  await reached
  await bench.move('pause', id)
  expect(await letGo()).toMatchObject({ name: 'LostCampaign' })
  expect(bench.field.orders).toEqual([])
  await bench.move('resume', id)
  await bench.reach(id, 'verified')
  expect(bench.listOrders()).toEqual(Object.entries(afterTwoWaves).sort())
})
