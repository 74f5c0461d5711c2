import type {
  StrategyHistoryEvent,
  StrategyOutcome,
  StrategyPlan,
  StrategyState,
  SupplyCheck,
} from '@isotherm/contract/balancing/strategies'
import type { Generated, GeneratedAlways } from 'kysely'
import type { HeldSlot } from './held-slot.ts'
import type { SupplyState } from './supply-state.ts'

/** A strategy on a node: it starts campaigns by itself. Instants are Unix ms. */
export interface StrategyTable {
  id: GeneratedAlways<number>
  company_id: number
  /** The node whose valves it moves, and the station of their loop when it was made. */
  node_id: number
  station_node_id: number
  station_name: string
  plan: StrategyPlan
  state: StrategyState
  last: StrategyOutcome | null
  /** `held`: levels that the valves of a sequence have. `due`: levels that they get when its campaign has ended. */
  held: HeldSlot | null
  due: HeldSlot | null
  /** Last decision on the supply temperature, and what it needs to continue; null if it never decided. */
  supply: SupplyState | null
  /** Its running campaign. */
  campaign_id: number | null
  created_by: string
  created_ms: number
  started_by: string | null
  started_ms: number | null
  /** The account for which it acts: the one that started it last. */
  account_id: number | null
  account: string
  updated_ms: number
  ended_ms: number | null
  /** When something is due next, as shown to people. */
  next_ms: number | null
  /** The worker that has the lease, and its end. */
  worker: string | null
  lease_until_ms: number | null
  /** When the next tick is due. */
  look_ms: Generated<number>
  /** From 1, increased with each stored change. */
  version: Generated<number>
}

/** Events of a strategy, append only. */
export interface StrategyEventTable {
  id: GeneratedAlways<number>
  strategy_id: number
  at_ms: number
  event: StrategyHistoryEvent
  /** The account that caused it; empty for an event without a person. */
  account: string
  outcome: StrategyOutcome | null
  /** Decision on the supply temperature. */
  supply: SupplyCheck | null
}

declare module '../../../../platform/tables.ts' {
  interface Tables {
    strategy: StrategyTable
    strategy_event: StrategyEventTable
  }
}
