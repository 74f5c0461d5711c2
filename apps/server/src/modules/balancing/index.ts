import type { Registry } from 'prom-client'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { scopeOfEverything } from '../../platform/scope/scope.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { Commands } from '../commands/index.ts'
import type { Devices } from '../devices/index.ts'
import { type HeatingSeason, toHeatingSeason } from '../history/index.ts'
import type { SessionService } from '../session/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { addCampaignMetrics } from './campaign/campaign-metrics.ts'
import { type CampaignRunner, type RunnerNeeds, startCampaignRunner } from './campaign/run/runner.ts'
import { countOpen, findTrimBase, listCampaigns } from './campaign/storage/campaign-queries.pg.ts'
import type { StoredCampaign } from './campaign/storage/campaign-types.ts'
import { findCulprits } from './campaign/storage/culprits.pg.ts'
import { findInverted } from './campaign/storage/directions.pg.ts'
import { openStates } from './campaign/storage/state-machine.ts'
import { type CampaignUpdate, createCampaignEvents } from './campaign-events.ts'
import { type BalancingHandlers, createBalancingHandlers } from './handlers.ts'
import { balancingMigrations } from './migrations.pg.ts'
import { createBalanceReader } from './now/balance-reader.ts'
import { createPlanner } from './plan/create-planner.ts'
import type { PlannerNeeds } from './plan/planner-needs.ts'
import { readAll } from './read-all.ts'
import { createBalancingReferences } from './references.pg.ts'
import { createSavingsHandlers, type SavingsHandlers } from './savings/handlers.ts'
import { createSavingsService } from './savings/service.ts'
import { createBalancingService } from './service.ts'
import { listStopped, type StoppedBalance } from './stopped.pg.ts'
import { createStrategies, type Strategies, type StrategiesNeeds } from './strategies/create-strategies.ts'
import { createTimeConstants } from './strategies/rooms/time-constants.ts'
import { findTimeZone } from './time-zone.pg.ts'

export type { CampaignUpdate } from './campaign-events.ts'
export { type Consumer, listConsumers } from './consumers/consumers.ts'
export { STILL_PCT } from './measurements/measured-loop.ts'
export type { StrategyUpdate } from './strategies/create-strategies.ts'

export interface BalancingNeeds
  extends PlannerNeeds,
    Pick<RunnerNeeds, 'commands' | 'batches' | 'findDevices' | 'findAccess'>,
    Pick<StrategiesNeeds, 'supplies' | 'pumps'> {
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
  readonly registry: Registry
  readonly heatingSeason: HeatingSeason
}

/** Everything that balancing offers to the composition root. */
export interface Balancing {
  readonly handlers: BalancingHandlers & Strategies['handlers'] & SavingsHandlers
  /**
   * Calls `listener` with the progress of a campaign, at most twice a second, on every replica. Returns a function that
   * stops it.
   */
  onCampaign(listener: (update: CampaignUpdate) => void): () => void
  /** Calls `listener` with the changes of a strategy. Returns a function that stops it. */
  readonly onStrategy: Strategies['onStrategy']
  /** Strategies and campaigns that stopped by themselves and wait for a decision. */
  listStopped(): Promise<readonly StoppedBalance[]>
  /** Continues open campaigns and strategies. Called when the live states of the loops are loaded. */
  start(): void
  close(): Promise<void>
}

function toUpdate({ nodePath, ...campaign }: StoredCampaign): CampaignUpdate {
  const { id, node, version, state, round, moves, moved } = campaign
  return { progress: { id, node, version, state, round, moves, moved }, path: nodePath }
}

export function createBalancing(needs: BalancingNeeds): Balancing {
  const { db, clock, network } = needs
  const planner = createPlanner({
    ...needs,
    findTrimBase: (stationNodeId) => findTrimBase(db, stationNodeId),
    findTimeConstant: createTimeConstants(needs),
    findCulprits: (stationNodeId, since) => findCulprits(db, stationNodeId, since),
    findInverted: (deviceIds) => findInverted(db, deviceIds),
  })
  const reader = createBalanceReader(needs)
  addCampaignMetrics(() => countOpen(db), needs.registry)
  const strategies = createStrategies({ ...needs, planner })
  let runner: CampaignRunner | undefined

  const events = createCampaignEvents({
    ...needs,
    async find(ids) {
      const query = ids ? { ids } : { states: openStates }
      const rows = await readAll((limiter) => listCampaigns(db, scopeOfEverything, { ...query, limiter }))
      return rows.map(toUpdate)
    },
  })

  return {
    handlers: {
      ...createBalancingHandlers(
        createBalancingService({
          db,
          planner,
          reader,
          network,
          clock,
          commands: needs.commands,
          findTimeZone: (campaignId) => findTimeZone(db, campaignId),
        }),
      ),
      ...strategies.handlers,
      ...createSavingsHandlers(createSavingsService(needs)),
    },
    onCampaign: events.onCampaign,
    onStrategy: strategies.onStrategy,
    listStopped: () => listStopped(db),
    start() {
      runner ??= startCampaignRunner({ ...needs, planner })
      strategies.start()
    },
    async close() {
      await strategies.close()
      await runner?.close()
      await events.close()
    },
  }
}

export interface BalancingDependencies
  extends Pick<
    ServerResources,
    'config' | 'db' | 'signals' | 'clock' | 'log' | 'registry' | 'queryClickhouse'
  > {
  readonly network: BalancingNeeds['network']
  readonly devices: Devices
  readonly session: Pick<SessionService, 'findAccountAccess'>
  readonly telemetry: Pick<Telemetry, 'states' | 'presence' | 'timeFactor'>
  readonly commands: Pick<Commands, 'service' | 'batches' | 'holds' | 'pumps' | 'supplies'>
}

/** Balance of loops, balancing campaigns and strategies. */
export const balancingModule = {
  migrations: balancingMigrations,
  create: ({ queryClickhouse, devices, session, telemetry, commands, ...server }: BalancingDependencies) => ({
    ...createBalancing({
      ...server,
      heatingSeason: toHeatingSeason(server.config.history.heatingSeason),
      clickhouse: queryClickhouse,
      states: telemetry.states,
      presence: telemetry.presence,
      timeFactor: telemetry.timeFactor,
      commands: commands.service,
      batches: commands.batches,
      supplies: commands.supplies,
      pumps: commands.pumps,
      findHoldPriorities: commands.holds.findHoldPriorities,
      findPumpLimits: commands.pumps.findLimits,
      listSwitchedOff: devices.listSwitchedOff,
      findDevices: devices.service.findDevices,
      findAccess: session.findAccountAccess,
    }),
    references: createBalancingReferences(server.db),
  }),
} satisfies ServerModule
