import { permissions } from '@isotherm/contract/access/permissions'
import type { CommandPriority } from '@isotherm/contract/command'
import { commandPriorities } from '@isotherm/contract/command'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestCall } from '../../../platform/http/call.testkit.ts'
import { createTestOperation } from '../../../platform/operation/operation.testkit.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import {
  type CommandsBench,
  createWideRegistry,
  dispatcher,
  startCommandsBench,
  toDispatch,
} from '../commands.testkit.ts'
import type { Commands } from '../index.ts'
import type { HoldUpdate } from './holds.pg.ts'

const SERIALS = ['C1V1', 'C1V2', 'C2V1']

let bench: CommandsBench
let commands: Commands

beforeAll(async () => {
  bench = await startCommandsBench(createWideRegistry(2, 2))
})
afterAll(() => bench.close())

beforeEach(async () => {
  bench.clock.shiftMs = 0
  bench.broker.isAway = true
  await bench.empty()
  commands = await bench.start()
})
afterEach(() => commands.close())

interface Order {
  readonly serials: readonly string[]
  readonly openingPct: number
  readonly priority: CommandPriority
  readonly holdMs?: number | undefined
}

function sendOrder({ serials, openingPct, priority, holdMs }: Order, account = 'dispatcher', accountId = 1) {
  const call = toDispatch()
  return commands.service.send(
    {
      ...call,
      caller: { ...call.caller, account, accountId },
      operation: createTestOperation({ account }),
    },
    {
      targets: serials.map((serial) => ({ deviceId: bench.idOf(serial), openingPct })),
      reason: 'test',
      priority,
      ...(holdMs === undefined ? {} : { holdUntil: bench.clock.now() + holdMs }),
    },
  )
}

const listHolds = async () =>
  (await commands.holds.list(dispatcher, { limiter: { page: 1, size: 100 } })).datalist

/** A hold in the naive model. */
interface Held {
  readonly priority: CommandPriority
  readonly openingPct: number
  readonly until: number
}

type Action =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'release'; readonly serial: string }
  | { readonly kind: 'wait'; readonly ms: number }

/**
 * Durations of holds. None is a sum of waits, because at the end of a hold a millisecond decides. Ends are compared with half
 * of the tolerance, so that the clock may advance between an order and its storage.
 */
const HOLDS_MS = [65_000, 605_000]

const anOrder = fc.record({
  serials: fc.uniqueArray(fc.constantFrom(...SERIALS), { minLength: 1 }),
  openingPct: fc.integer({ min: 10, max: 100 }),
  priority: fc.constantFrom(...commandPriorities),
  holdMs: fc.option(fc.constantFrom(...HOLDS_MS), { nil: undefined }),
})

const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: anOrder.map((order) => ({ kind: 'order', order }) as const) },
    fc.constantFrom(...SERIALS).map((serial) => ({ kind: 'release', serial }) as const),
    fc.constantFrom(30_000, 300_000).map((ms) => ({ kind: 'wait', ms }) as const),
  ),
  { minLength: 3, maxLength: 12 },
)

const rank = (priority: CommandPriority): number => commandPriorities.indexOf(priority)

/** Applies an action to the model. Returns whether it is accepted. */
function act(model: Map<string, Held>, action: Action, now: number): boolean {
  for (const [serial, { until }] of model) if (until <= now) model.delete(serial)
  if (action.kind === 'wait') return true
  if (action.kind === 'release') return model.delete(action.serial)
  const { serials, priority, openingPct, holdMs } = action.order
  const isHeld = serials.some((serial) => {
    const held = model.get(serial)
    return held !== undefined && rank(held.priority) > rank(priority)
  })
  if (isHeld) return false
  for (const serial of serials) {
    model.delete(serial)
    if (holdMs !== undefined) model.set(serial, { priority, openingPct, until: now + holdMs })
  }
  return true
}

async function perform(action: Action): Promise<boolean> {
  if (action.kind === 'wait') return true
  if (action.kind === 'order') {
    const outcome = await sendOrder(action.order).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'command.held' })
    return !(outcome instanceof Error)
  }
  const hold = (await listHolds()).find(({ deviceName }) => deviceName === action.serial)
  if (hold) await commands.holds.release(toDispatch(), [hold.id])
  return hold !== undefined
}

test('H2: after any sequence of orders, holds, releases and pauses the holds match a naive model', async () => {
  const started = bench.clock.now()
  const stopped = { ms: 0 }
  // The clock of this test advances only when it waits.
  const freezeClock = () => {
    bench.clock.shiftMs += started + stopped.ms - bench.clock.now()
  }
  await fc.assert(
    fc.asyncProperty(actions, async (entry) => {
      await bench.empty()
      const model = new Map<string, Held>()
      for (const action of entry) {
        if (action.kind === 'wait') stopped.ms += action.ms
        freezeClock()
        const isTaken = act(model, action, started + stopped.ms)
        expect(await perform(action)).toBe(isTaken)
        freezeClock()
        const held = (await listHolds()).map(({ deviceName, priority, openingPct, until }) => ({
          deviceName,
          priority,
          openingPct,
          // The clock advances a little between the order and its storage.
          until: Math.round((until - started) / 10_000),
        }))
        const expected = [...model].map(([deviceName, { priority, openingPct, until }]) => ({
          deviceName,
          priority,
          openingPct,
          until: Math.round((until - started) / 10_000),
        }))
        const byName = (left: { deviceName: string }, right: { deviceName: string }) =>
          left.deviceName.localeCompare(right.deviceName)
        expect(held.toSorted(byName)).toEqual(expected.toSorted(byName))
      }
    }),
    { numRuns: 15 },
  )
}, 120_000)

test('H3: the owner of an outranked hold is notified, and the operation log names the account', async () => {
  const updates: HoldUpdate[] = []
  commands.onHold((update) => updates.push(update))
  await sendOrder({ serials: ['C1V1'], openingPct: 40, priority: 'manual', holdMs: 600_000 }, 'wang', 7)
  await expect
    .poll(() => updates)
    .toMatchObject([{ ended: undefined, accountId: 7, hold: { actor: 'wang' } }])
  await sendOrder({ serials: ['C1V1'], openingPct: 80, priority: 'emergency' }, 'zhao', 8)
  await expect.poll(() => updates.length).toBe(2)
  expect(updates[1]).toMatchObject({
    ended: 'outranked',
    by: 'zhao',
    accountId: 7,
    hold: { deviceName: 'C1V1', openingPct: 40, priority: 'manual', reason: 'test' },
  })
  const noted = await bench.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_change.operation_id')
    .select(['account', 'action', 'after'])
    .where('entity', '=', 'hold')
    .where('entity_id', '=', String(updates[1]?.hold.id))
    .orderBy('operation_change.id')
    .execute()
  expect(noted).toMatchObject([
    { account: 'wang', action: 'added' },
    { account: 'zhao', action: 'changed', after: { ended_why: 'outranked', ended_by: 'zhao' } },
  ])
  expect(await listHolds()).toEqual([])
})

test('an expired hold is recorded and reported without a request', async () => {
  const updates: HoldUpdate[] = []
  commands.onHold((update) => updates.push(update))
  await sendOrder({ serials: ['C1V1'], openingPct: 40, priority: 'manual', holdMs: MINUTE_MS })
  bench.clock.shiftMs = 61_000
  await expect.poll(() => updates.at(-1)?.ended).toBe('expired')
})

test('H4: a batch with one valve under a higher hold is refused as a whole, and the error names it', async () => {
  await sendOrder({ serials: ['C1V2'], openingPct: 40, priority: 'manual', holdMs: 600_000 }, 'wang')
  const refused = sendOrder({ serials: SERIALS, openingPct: 70, priority: 'balancing' })
  await expect(refused).rejects.toMatchObject({
    code: 'command.held',
    params: {
      count: 1,
      devices: expect.stringMatching(/^C1V2 \(manual, wang, \d{4}-\d\d-\d\dT\d\d:\d\dZ\)$/),
    },
  })
  expect(await commands.countOpen()).toEqual(new Map([['queued', 1]]))
})

test('H5: a retired valve has no hold', async () => {
  const updates: HoldUpdate[] = []
  commands.onHold((update) => updates.push(update))
  await sendOrder({ serials: ['C2V2'], openingPct: 40, priority: 'manual', holdMs: 600_000 })
  const call = {
    ...createTestCall({ permissions: new Set(permissions) }),
    operation: createTestOperation({ account: 'registrar' }),
  }
  const id = bench.idOf('C2V2')
  const { version } = await bench.registered.service.getDevice(scopeOfEverything, id)
  await bench.registered.changes.change(call, [{ id, version }], { use: 'retired' })
  expect(await listHolds()).toEqual([])
  await expect.poll(() => updates.at(-1)).toMatchObject({ ended: 'withdrawn', accountId: 1 })
})

test('a hold ends within a year and not in the past', async () => {
  for (const holdMs of [-1, 367 * DAY_MS]) {
    const order = { serials: ['C1V1'], openingPct: 40, priority: 'manual', holdMs } as const
    await expect(sendOrder(order)).rejects.toMatchObject({ code: 'request.malformed' })
  }
})

test('an ended hold cannot be released', async () => {
  await sendOrder({ serials: ['C1V1'], openingPct: 40, priority: 'manual', holdMs: 600_000 })
  const [hold] = await listHolds()
  expect(await commands.holds.release(toDispatch(), [hold?.id ?? 0])).toEqual([hold?.id])
  await expect(commands.holds.release(toDispatch(), [hold?.id ?? 0])).rejects.toMatchObject({
    code: 'hold.not-found',
  })
})
