import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type {
  BalanceMode,
  Campaign,
  CampaignAbort,
  CampaignDetail,
  CampaignHistoryEvent,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import type { Generated, GeneratedAlways } from 'kysely'

/** A balance of one loop; instants are Unix ms. */
export interface CampaignTable {
  id: GeneratedAlways<number>
  company_id: number
  /** The node whose valves are moved, and the station of their loop. */
  node_id: number
  station_node_id: number
  station_name: string
  mode: BalanceMode
  state: CampaignState
  /** The newest round that was started; a rollback is one too. */
  round: Generated<number>
  planned_ms: number
  abort: CampaignAbort | null
  /** From this instant on the newest round is judged. */
  settled_ms: number | null
  created_by: string
  created_ms: number
  approved_by: string | null
  approved_ms: number | null
  /** The account for which it acts: the one that last approved, resumed, trimmed or rolled it back. */
  account_id: number | null
  account: string
  updated_ms: number
  ended_ms: number | null
  /** The strategy that started it, if no person did. */
  strategy_id: Generated<number | null>
  /** The worker that has the lease, and its end. */
  worker: string | null
  lease_until_ms: number | null
  /** When the next tick is due. */
  look_ms: Generated<number>
  /** From 1, increased with each stored change. */
  version: Generated<number>
}

/** A plan, and the result of its round. A rollback has no plan. */
export interface CampaignRoundTable {
  campaign_id: number
  round: number
  /** Format of the plan's JSON (stored-plan.ts). */
  format: number
  plan: unknown
  indices: Campaign['indices']
  /** Number of valves in the plan, and of those it excludes. */
  valves: number
  excluded: number
  verification: unknown
}

/** A wave of valve commands, or a command to the pump. */
export interface CampaignStepTable {
  campaign_id: number
  round: number
  /** From 1 in each round. */
  step: number
  kind: CampaignDetail['steps'][number]['kind']
  moves: readonly { readonly deviceId: number; readonly fromPct: number; readonly toPct: number }[]
  /** Instead of moves. */
  pump: PumpMove | null
  state: Generated<CampaignDetail['steps'][number]['state']>
  batch_id: string | null
  /** Number of commands of the batch that have ended. */
  moved: Generated<number>
  /** When all of its commands had ended. */
  answered_ms: number | null
  unanswered: Generated<number>
  /** Ids of the valves among them that answered and then reported another position than the ordered one. */
  missed: Generated<readonly number[]>
}

/** Events of a campaign, append only. */
export interface CampaignEventTable {
  id: GeneratedAlways<number>
  campaign_id: number
  at_ms: number
  event: CampaignHistoryEvent
  /** The account that caused it; empty for an event without a person. */
  account: string
}

declare module '../../../../platform/tables.ts' {
  interface Tables {
    campaign: CampaignTable
    campaign_round: CampaignRoundTable
    campaign_step: CampaignStepTable
    campaign_event: CampaignEventTable
  }
}
