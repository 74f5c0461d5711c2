import type {
  StrategyHistoryEvent,
  StrategyOutcome,
  StrategyPlan,
  StrategyState,
} from '@isotherm/contract/balancing/strategies'
import type { Generated, GeneratedAlways } from 'kysely'
import type { HeldSlot } from './held-slot.ts'

/** A standing order on a node; instants are Unix ms. */
export interface StrategyTable {
  id: GeneratedAlways<number>
  company_id: number
  /** Whose valves it is about, and where the controller of their loop stood when it was made. */
  node_id: number
  station_node_id: number
  station_name: string
  plan: StrategyPlan
  state: StrategyState
  last: StrategyOutcome | null
  /** What a sequence was brought to, and what it will have been once its campaign is done. */
  held: HeldSlot | null
  due: HeldSlot | null
  /** The one it has under way. */
  campaign_id: number | null
  created_by: string
  created_ms: number
  started_by: string | null
  started_ms: number | null
  /** On whose behalf it acts: who started it last. */
  account_id: number | null
  account: string
  updated_ms: number
  ended_ms: number | null
  /** When something is due next, which people are told. */
  next_ms: number | null
  /** Who looks at it now, and until when nobody else does. */
  worker: string | null
  lease_until_ms: number | null
  /** When it is to be looked at next. */
  look_ms: Generated<number>
  /** From 1, with each change that is noted. */
  version: Generated<number>
}

/** What happened to a strategy, append only. */
export interface StrategyEventTable {
  id: GeneratedAlways<number>
  strategy_id: number
  at_ms: number
  event: StrategyHistoryEvent
  /** Who caused it; empty for what came by itself. */
  account: string
  outcome: StrategyOutcome | null
}

declare module '../../../../platform/tables.ts' {
  interface Tables {
    strategy: StrategyTable
    strategy_event: StrategyEventTable
  }
}
