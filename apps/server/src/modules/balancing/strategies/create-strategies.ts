import type { Strategy } from '@isotherm/contract/balancing/strategies'
import type { FindAccess } from '../../../platform/caller-of-account.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { Signals } from '../../../platform/signals/signals.ts'
import type { CommandsService, PumpService, SupplyService } from '../../commands/index.ts'
import type { NetworkService } from '../../network/index.ts'
import type { LiveStates } from '../../telemetry/index.ts'
import type { LeaseRunner } from '../campaign/run/lease-runner.ts'
import { checkCampaignMove, moveCampaign } from '../campaign/storage/campaign-changes.pg.ts'
import { findCampaign } from '../campaign/storage/campaign-queries.pg.ts'
import { createProgressEvents } from '../campaign-events.ts'
import type { Place } from '../loop/place.ts'
import type { Planner } from '../plan/planner.ts'
import { readAll } from '../read-all.ts'
import { findCompanyZone } from '../time-zone.pg.ts'
import { createStrategyHandlers, type StrategyHandlers } from './handlers.ts'
import { createPreview } from './preview.ts'
import { readSnapshot } from './rooms/loop-snapshot.ts'
import { readSupplyRooms } from './rooms/supply-rooms.ts'
import { readSupplyStation } from './rooms/supply-station.ts'
import { createTimeConstants, type TimeConstantNeeds } from './rooms/time-constants.ts'
import { startStrategyRunner } from './run/runner.ts'
import { createStrategyService } from './service.ts'
import { listStrategies } from './storage/strategy-queries.pg.ts'
import type { StoredStrategy } from './storage/strategy-types.ts'

export interface StrategiesNeeds extends TimeConstantNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly signals: Signals
  readonly states: Pick<LiveStates, 'find'>
  readonly network: Pick<NetworkService, 'resolveNodes' | 'findParts'>
  readonly commands: Pick<CommandsService, 'preview' | 'requireHead'>
  readonly supplies: Pick<SupplyService, 'setOffset' | 'findLimits' | 'findLastOrder'>
  readonly pumps: Pick<PumpService, 'setHead' | 'findLimits'>
  readonly findAccess: FindAccess
  readonly planner: Planner
}

/** Change of a strategy, and the present path of its node. */
export interface StrategyUpdate {
  readonly progress: Pick<Strategy, 'id' | 'node' | 'version' | 'state'>
  readonly path: string
}

export interface Strategies {
  readonly handlers: StrategyHandlers
  /**
   * Calls `listener` on every replica when a strategy has changed, at most twice a second. Returns a function that stops
   * it.
   */
  onStrategy(listener: (update: StrategyUpdate) => void): () => void
  start(): void
  close(): Promise<void>
}

const toStrategyUpdate = ({ id, node, version, state, nodePath }: StoredStrategy): StrategyUpdate => ({
  progress: { id, node, version, state },
  path: nodePath,
})

/** Creates the part of the module that manages strategies: rules that start campaigns automatically. */
export function createStrategies(needs: StrategiesNeeds): Strategies {
  const { db, clock, network, planner } = needs
  const findTimeConstant = createTimeConstants(needs)
  const snapshots = { readSnapshot: (place: Place) => readSnapshot({ ...needs, findTimeConstant }, place) }
  let runner: LeaseRunner | undefined
  const events = createProgressEvents<StrategyUpdate>(
    {
      ...needs,
      async find(ids) {
        const query = ids ? { ids } : { states: ['draft', 'running', 'paused'] as const }
        const rows = await readAll((limiter) => listStrategies(db, scopeOfEverything, { ...query, limiter }))
        return rows.map(toStrategyUpdate)
      },
    },
    'strategy_changed',
  )
  const preview = createPreview({
    ...snapshots,
    planner,
    network,
    clock,
    findTimeZone: (companyId) => findCompanyZone(db, companyId),
  })
  return {
    handlers: createStrategyHandlers(createStrategyService({ db, planner, network, preview, clock })),
    onStrategy: events.listen,
    start() {
      runner ??= startStrategyRunner({
        ...needs,
        ...snapshots,
        supply: {
          supplies: needs.supplies,
          pumps: needs.pumps,
          timeFactor: needs.timeFactor,
          readRooms: (place) => readSupplyRooms({ ...needs, findTimeConstant }, place),
          readStation: (address) => readSupplyStation(needs, address),
        },
        findCampaign: (id) => findCampaign(db, scopeOfEverything, id),
        checkApproval: (move) => checkCampaignMove(db, 'approve', move),
        moveCampaign: (event, move, operation, extraWrites) =>
          moveCampaign(db, event, move, operation, extraWrites),
      })
    },
    async close() {
      await runner?.close()
      await events.close()
    },
  }
}
