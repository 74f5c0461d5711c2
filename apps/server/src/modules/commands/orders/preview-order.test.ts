import type { CommandPriority } from '@isotherm/contract/command'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type CommandsBench,
  createWideRegistry,
  dispatcher,
  startCommandsBench,
  toDispatch,
} from '../commands.testkit.ts'
import type { Commands } from '../index.ts'

let bench: CommandsBench
let commands: Commands
let building: string

beforeAll(async () => {
  bench = await startCommandsBench(createWideRegistry(2, 2))
  const { id, uuid } = await bench.db
    .selectFrom('node')
    .select(['id', 'uuid'])
    .where('key', '=', 'n6')
    .executeTakeFirstOrThrow()
  building = uuid ?? String(id)
})
afterAll(() => bench.close())
beforeEach(async () => {
  bench.clock.shiftMs = 0
  bench.broker.isAway = true
  await bench.empty()
  const commanded = { last_open_set_pct: 50, last_open_set_at: new Date(0), retired_at: null }
  await bench.db.updateTable('device').set(commanded).where('kind', '=', 'valve').execute()
  commands = await bench.start()
})
afterEach(() => commands.close())

const preview = (openings: Readonly<Record<string, number>>, priority: CommandPriority = 'manual') =>
  commands.service.preview(dispatcher, { targets: bench.toTargets(openings), priority })

const hold = (serial: string, priority: CommandPriority) =>
  commands.service.send(toDispatch(), {
    targets: bench.toTargets({ [serial]: 50 }),
    reason: 'frozen pipe',
    priority,
    holdUntil: bench.clock.now() + HOUR_MS,
  })

test('a preview names each refused valve with its reason, and stores nothing', async () => {
  await commands.holds.setLimits(toDispatch(), {
    node: building,
    version: 0,
    minOpeningPct: 20,
    maxStepPct: 30,
  })
  await hold('C2V2', 'emergency')
  const { refused, ends, totals } = await preview({ C1V1: 5, C1V2: 15, C2V1: 85, C2V2: 50, S1: 60 })
  const reasonOf = new Map(refused.map((refusal) => [refusal.deviceId, refusal]))
  expect(reasonOf.get(bench.idOf('C1V1'))).toMatchObject({ reason: 'outside-limits', minPct: 10 })
  expect(reasonOf.get(bench.idOf('C1V2'))).toMatchObject({ reason: 'below-minimum', minPct: 20 })
  expect(reasonOf.get(bench.idOf('C2V1'))).toMatchObject({ reason: 'too-far', minPct: 20, maxPct: 80 })
  expect(reasonOf.get(bench.idOf('C2V2'))).toMatchObject({
    reason: 'held',
    hold: { actor: 'dispatcher', priority: 'emergency', reason: 'frozen pipe' },
  })
  expect(reasonOf.has(bench.idOf('S1'))).toBe(false)
  expect({ ends, totals }).toEqual({ ends: [], totals: [] })
  expect([...(await commands.countOpen()).values()]).toEqual([1])
})

test('H6: an order is accepted exactly if its preview accepts it', async () => {
  await commands.holds.setLimits(toDispatch(), {
    node: building,
    version: 0,
    minOpeningPct: 20,
    maxStepPct: 30,
  })
  await hold('C2V2', 'emergency')
  const openings = { C1V1: 15, C1V2: 45, C2V1: 85, C2V2: 50, S1: 60 }
  const refused = new Set((await preview(openings)).refused.map(({ deviceId }) => deviceId))
  const targets = bench.toTargets(openings).filter(({ deviceId }) => !refused.has(deviceId))
  for (const target of bench.toTargets(openings).filter(({ deviceId }) => refused.has(deviceId))) {
    await expect(commands.service.send(toDispatch(), { targets: [target], reason: '' })).rejects.toThrow()
  }
  expect((await commands.service.send(toDispatch(), { targets, reason: 'rest' })).batch.total).toBe(2)
})

test('a preview lists the holds that the order would end, also those of the same priority', async () => {
  await hold('C1V1', 'balancing')
  await hold('C1V2', 'manual')
  const { refused, ends } = await preview({ C1V1: 60, C1V2: 60, C2V1: 60 })
  expect(refused).toEqual([])
  expect(ends.map(({ deviceName }) => deviceName).toSorted()).toEqual(['C1V1', 'C1V2'])
  expect((await commands.holds.list(dispatcher, { limiter: { page: 1, size: 10 } })).total).toBe(2)
})

test('the average opening of a preview excludes refused valves', async () => {
  await commands.holds.setLimits(toDispatch(), { node: building, version: 0, minTotalPct: 40 })
  // Five valves are at 50 %; with two at 10 % the average is 34 %.
  expect((await preview({ C1V1: 10, C1V2: 10 })).totals).toMatchObject([{ totalPct: 34, minTotalPct: 40 }])
  await hold('C1V2', 'emergency')
  expect((await preview({ C1V1: 10, C1V2: 10 })).totals).toEqual([])
})

test('a preview refuses a retired valve and names the reason', async () => {
  await bench.db.updateTable('device').set({ retired_at: new Date() }).where('serial', '=', 'C1V1').execute()
  expect((await preview({ C1V1: 60 })).refused).toEqual([{ deviceId: bench.idOf('C1V1'), reason: 'retired' }])
})

test('the log can be filtered by the states of commands', async () => {
  const { batchId, commands: given } = await commands.service.send(toDispatch(), {
    targets: bench.toTargets({ C1V1: 60, C1V2: 60 }),
    reason: 'test',
  })
  const ids = given.slice(0, 1).map(({ id }) => id)
  // A command cannot be cancelled during an attempt to send it.
  await vi.waitFor(() => commands.service.cancel(toDispatch(), ids), { timeout: 30_000 })
  const list = (states: ('queued' | 'cancelled' | 'failed')[]) =>
    commands.service.list(dispatcher, { batchId, states, limiter: { page: 1, size: 10 } })
  expect((await list(['cancelled'])).datalist.map(({ id }) => id)).toEqual([given[0]?.id])
  expect((await list(['queued', 'cancelled'])).total).toBe(2)
  expect((await list(['failed'])).total).toBe(0)
})
