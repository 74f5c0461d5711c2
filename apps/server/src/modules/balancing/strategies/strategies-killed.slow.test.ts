import type { SequencePlan, StrategyPlan } from '@isotherm/contract/balancing/strategies'
import { finalCommandStates } from '@isotherm/contract/command'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { afterTwoWaves } from '../campaign/campaign-plan.testkit.ts'
import { type KilledBench, startKilledBench, until, WHOLE_CHECK_MS } from '../campaign/killed.testkit.ts'
import { day, night, school, turnTo } from './sequence.testkit.ts'
import { moveStrategy, storeStrategyDraft } from './storage/strategy-changes.pg.ts'
import { findStrategy } from './storage/strategy-queries.pg.ts'
import { byReturns } from './strategies.testkit.ts'
import type { ShownLoop } from './strategy-server.testkit.ts'

const TIMEOUT_MS = 120_000
const program = new URL('./strategy-server.testkit.ts', import.meta.url)

/** A started strategy, and servers that are killed while they run it. */
async function startBench(plan: StrategyPlan, turn: (bench: KilledBench) => void) {
  const bench = await startKilledBench(program)
  const { db, clock, place, who } = bench
  turn(bench)
  const operation = () => toSystemOperation('strategy', clock.now())
  const id = await storeStrategyDraft(db, { place, plan, who: who() }, operation())
  await moveStrategy(db, 'start', { id, version: 1, ...who() }, operation())

  async function get() {
    const found = await findStrategy(db, scopeOfEverything, id)
    if (!found) throw new Error('it is gone')
    return found
  }
  const launch = (shown: Partial<ShownLoop> = {}): Promise<void> => {
    const loop: ShownLoop = { place, valves: [...bench.listValves()], beforeK: 2, afterK: 2, ...shown }
    return bench.launch(JSON.stringify(loop))
  }
  /** Ends the leases of a killed server, so that the test need not wait. */
  async function endLeases(): Promise<void> {
    for (const table of ['strategy', 'campaign'] as const)
      await db.updateTable(table).set({ lease_until_ms: 0 }).where('worker', 'is not', null).execute()
  }
  async function kill(): Promise<void> {
    await bench.kill()
    await endLeases()
  }

  return {
    ...bench,
    get,
    launch,
    kill,
    listCampaigns: () => db.selectFrom('campaign').orderBy('id').select(['id', 'state']).execute(),
    async dieAt(stopAt: NonNullable<ShownLoop['stopAt']>): Promise<void> {
      await launch({ stopAt })
      expect(await bench.findStop()).toBe(stopAt)
      await kill()
    },
    async dieOnce(...look: Parameters<typeof until>): Promise<void> {
      await launch()
      await until(...look)
      await kill()
    },
    /**
     * Dies within the transaction that would write the next row of `table`; the transaction is rolled back.
     */
    async dieStoring(table: 'strategy_event' | 'campaign_event'): Promise<void> {
      await bench.killStoring(table, launch)
      await endLeases()
    },
  }
}

type Bench = Awaited<ReturnType<typeof startBench>>

/** Commanded openings of each valve, in order; every command has ended. */
async function listEnded({ listOrders }: Bench) {
  const orders = await listOrders()
  for (const { state } of orders) expect(finalCommandStates).toContain(state)
  return Object.fromEntries(
    [...Map.groupBy(orders, ({ serial }) => serial)].map(([serial, of]) => [
      serial,
      of.map(({ openingPct }) => openingPct),
    ]),
  )
}

test('T20: a strategy whose servers are killed at each stage balances once, trims once and continues by its plan', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startBench({ ...byReturns, trims: 1 }, () => undefined)
  const { get, launch, dieAt, dieOnce, dieStoring, listCampaigns, openings, sent, db } = bench
  await dieStoring('strategy_event')
  expect(await listCampaigns()).toEqual([])
  await dieAt('check')
  const id = (await listCampaigns())[0]?.id
  await dieStoring('campaign_event')
  expect(await listCampaigns()).toEqual([{ id, state: 'draft' }])
  expect(sent.size).toBe(0)
  await dieOnce(() => sent.size > 0)
  await dieAt('trim')
  await dieStoring('strategy_event')
  expect(await listCampaigns()).toEqual([{ id, state: 'accepted' }])
  await launch({ beforeK: 0.4 })
  await until(async () => (await get()).last?.kind === 'done', WHOLE_CHECK_MS)

  expect(Object.fromEntries(openings)).toEqual({ ...afterTwoWaves, C1V1: 55 })
  expect(await listEnded(bench)).toEqual({ C1V1: [60, 55], C1V2: [40], C2V1: [65], C2V2: [35] })
  expect((await get()).history.map(({ event }) => event)).toEqual(['add', 'start', 'began', 'done'])

  await db.updateTable('strategy').set({ next_ms: 0, look_ms: 0 }).execute()
  await until(async () => (await get()).last?.kind === 'within', WHOLE_CHECK_MS)
  expect(await listCampaigns()).toEqual([{ id, state: 'accepted' }])
})

/** Rooms at 15 °C must be warm at six; heating them takes longer than the maximum lead time. */
const EARLY_H = 2
const preheated: SequencePlan = {
  ...school,
  groups: school.groups.map((group) => ({
    ...group,
    preheat: { timeConstantH: 40, wantedC: 20, boostedC: 24, maxHours: EARLY_H },
  })),
}

test('T20: a sequence whose servers are killed while it preheats and at its boundaries crosses each boundary once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await startBench(preheated, (begun) => {
    turnTo(begun, day)
    begun.settings.aheadMs -= EARLY_H * HOUR_MS
  })
  const { get, launch, dieAt, dieOnce, dieStoring, listCampaigns, sent, clock } = bench
  await dieOnce(() => sent.size > 0)
  await dieStoring('strategy_event')
  // The slot itself starts: the preheated group is over its boundary.
  turnTo(bench, day)
  await dieOnce(async () => ((await get()).nextCheckAt ?? 0) > clock.now() + HOUR_MS, WHOLE_CHECK_MS)
  expect((await listCampaigns()).map(({ state }) => state)).toEqual(['accepted'])

  turnTo(bench, night)
  await dieAt('plan')
  await launch()
  // The campaign of the boundary before has ended, and its outcome is stored.
  await until(
    async () => (await get()).history.filter(({ event }) => event === 'done').length > 1,
    WHOLE_CHECK_MS,
  )
  expect((await listCampaigns()).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  const events = (await get()).history.map(({ event }) => event)
  expect(events).toEqual(['add', 'start', 'began', 'done', 'began', 'done'])
  const twice = Object.entries(afterTwoWaves).map(([serial, openingPct]) => [
    serial,
    [openingPct, openingPct],
  ])
  expect(await listEnded(bench)).toEqual(Object.fromEntries(twice))
})
