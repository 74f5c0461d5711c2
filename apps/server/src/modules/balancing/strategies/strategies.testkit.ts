import { setTimeout as pause } from 'node:timers/promises'
import type { BalanceIndices, BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { StrategyPlan, StrategyState } from '@isotherm/contract/balancing/strategies'
import { systemClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { type TestWave, twoWaves } from '../campaign/campaign-plan.testkit.ts'
import { startCampaignsBench } from '../campaign/campaigns.testkit.ts'
import type { LeaseRunner } from '../campaign/run/lease-runner.ts'
import { checkCampaignMove, moveCampaign } from '../campaign/storage/campaign-changes.pg.ts'
import { findCampaign } from '../campaign/storage/campaign-queries.pg.ts'
import type { RoundPlan } from '../plan/planner.ts'
import { isSlowTrim } from '../plan/trim-base.ts'
import { readSupplyStation } from './rooms/supply-station.ts'
import { type StrategyRunnerNeeds, startStrategyRunner } from './run/runner.ts'
import { moveStrategy, storeStrategyDraft } from './storage/strategy-changes.pg.ts'
import { findStrategy } from './storage/strategy-queries.pg.ts'
import type { PersonalStrategyEvent } from './storage/strategy-types.ts'
import { createTestRooms } from './supply.testkit.ts'

/** Index of the test loop, and the moves that balance it. */
export interface TestLoop {
  before: BalanceIndices
  /** Index after each round. */
  after: BalanceIndices
  waves: readonly TestWave[]
  /** Moves of every trim. */
  trim: readonly TestWave[]
  /** Moves of every slow trim. */
  slowTrim: readonly TestWave[]
}

const createTestLoop = (): TestLoop => ({
  before: { sigmaReturnK: 2 },
  after: { sigmaReturnK: 0.4 },
  waves: twoWaves,
  trim: [['close', { C1V3: 45 }]],
  slowTrim: [],
})

/** Balances returns when they are more than 1 K apart. */
export const byReturns = {
  kind: 'temperature',
  target: 'return',
  startAboveK: 1,
  everyHours: 6,
  trims: 0,
} satisfies StrategyPlan

/** Strategies on a real database with real campaigns and commands; the test sets the readings. */
export async function startStrategiesBench() {
  const bench = await startCampaignsBench()
  const { db, clock, place, needs: campaignNeeds } = bench
  const loop = createTestLoop()
  /** Planned modes, in order. */
  const plannedModes: BalanceMode[] = []

  const supplyRooms = createTestRooms()
  const states = { find: () => undefined }
  const shown = () => ({
    isPresent: supplyRooms.isPresent,
    offsetK: supplyRooms.isPresent ? bench.field.offsetK : undefined,
    headKpa: supplyRooms.isPresent ? bench.field.headKpa : undefined,
  })

  const toRound = (waves: readonly TestWave[]): RoundPlan => {
    const plan = bench.toPlan(waves)
    return { ...plan, indices: { before: loop.before, expected: plan.indices.expected } }
  }
  const needs: StrategyRunnerNeeds = {
    db,
    clock,
    signals: campaignNeeds.signals,
    log: createLog({ logLevel: 'silent' }),
    findCampaign: (id) => findCampaign(db, scopeOfEverything, id),
    checkApproval: (move) => checkCampaignMove(db, 'approve', move),
    moveCampaign: (event, move, operation, extraWrites) =>
      moveCampaign(db, event, move, operation, extraWrites),
    commands: bench.commands,
    findAccess: campaignNeeds.findAccess,
    planner: {
      findPlace: async () => place,
      async plan(_, mode) {
        plannedModes.push(mode)
        return toRound(isSlowTrim(mode) ? loop.slowTrim : loop.waves)
      },
      trim: async () => toRound(loop.trim),
    },
    readSnapshot: async () => ({
      outdoorC: 0,
      roomC: () => 15,
      countValves: () => 4,
      findTimeConstant: async () => ({ kind: 'not-measured' }),
    }),
    network: { findParts: async () => new Map() },
    supply: {
      supplies: bench.supplies,
      pumps: bench.pumps,
      timeFactor: () => 1,
      readRooms: async () => ({ ...supplyRooms, deviceId: bench.toId('ST'), ...shown() }),
      readStation: async (address) => ({ ...(await readSupplyStation({ db, states }, address)), ...shown() }),
    },
  }
  const running = new Set<LeaseRunner>()

  async function get(id: number) {
    const found = await findStrategy(db, scopeOfEverything, id)
    if (!found) throw new Error(`no strategy ${id}`)
    return found
  }
  async function move(event: PersonalStrategyEvent, id: number): Promise<void> {
    const { version } = await get(id)
    await moveStrategy(db, event, { id, version, ...bench.who() }, bench.toOperation(`${event}Strategy`))
  }

  return {
    ...bench,
    needs,
    loop,
    supplyRooms,
    plannedModes,
    move,
    get,
    addCampaign: bench.add,
    moveCampaign: bench.move,
    getCampaign: bench.get,
    /** Runs campaigns and strategies; `needs` replaces some dependencies of strategies. */
    start(given: Partial<StrategyRunnerNeeds> = {}): LeaseRunner {
      const runner = startStrategyRunner({ ...needs, ...given })
      running.add(runner)
      return runner
    },
    /** Runs campaigns. */
    carryOut: () =>
      bench.start({
        planner: {
          ...campaignNeeds.planner,
          async verify(...order) {
            const verification = await campaignNeeds.planner.verify(...order)
            return { ...verification, indices: loop.after }
          },
        },
      }),
    /** Abandons a runner that hangs: it never releases its leases, as if its process had died. */
    drop: (runner: LeaseRunner) => running.delete(runner),
    add: (plan: StrategyPlan): Promise<number> =>
      storeStrategyDraft(db, { place, plan, who: bench.who() }, bench.toOperation('addStrategy')),
    async run(plan: StrategyPlan): Promise<number> {
      const id = await storeStrategyDraft(
        db,
        { place, plan, who: bench.who() },
        bench.toOperation('addStrategy'),
      )
      await move('start', id)
      return id
    },
    /** Resolves with the strategy once its outcome or its state is the expected one. */
    async reach(id: number, wanted: { readonly last?: string; readonly state?: StrategyState }) {
      const until = systemClock.now() + 30_000
      for (;;) {
        const found = await get(id)
        const isLast = wanted.last === undefined || found.last?.kind === wanted.last
        if (isLast && (wanted.state === undefined || found.state === wanted.state)) return found
        if (systemClock.now() > until)
          throw new Error(`${id} is ${JSON.stringify([found.state, found.last])}`)
        await pause(50)
      }
    },
    /** Campaigns that strategies started, oldest first. */
    listBegun: () =>
      db
        .selectFrom('campaign')
        .where('strategy_id', 'is not', null)
        .orderBy('id')
        .select(['id', 'state', 'strategy_id as strategy', 'account'])
        .execute(),
    async clear(): Promise<void> {
      for (const runner of running) await runner.close()
      running.clear()
      await bench.clear()
      await db.deleteFrom('strategy').execute()
      Object.assign(loop, createTestLoop())
      Object.assign(supplyRooms, createTestRooms())
      plannedModes.length = 0
    },
    async close(): Promise<void> {
      for (const runner of running) await runner.close()
      await bench.close()
    },
  }
}

export type StrategiesBench = Awaited<ReturnType<typeof startStrategiesBench>>
