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
  /** Whose valves are moved, and where the controller of their loop stands. */
  node_id: number
  station_node_id: number
  station_name: string
  mode: BalanceMode
  state: CampaignState
  /** The last one that was begun; the way back is one too. */
  round: Generated<number>
  planned_ms: number
  abort: CampaignAbort | null
  /** From when on the last round is judged. */
  settled_ms: number | null
  created_by: string
  created_ms: number
  approved_by: string | null
  approved_ms: number | null
  /** On whose behalf it goes on: who approved, resumed, trimmed or rolled it back last. */
  account_id: number | null
  account: string
  updated_ms: number
  ended_ms: number | null
  /** Which strategy began it, if none of people did. */
  strategy_id: Generated<number | null>
  /** Who looks at it now, and until when nobody else does. */
  worker: string | null
  lease_until_ms: number | null
  /** When it is to be looked at next. */
  look_ms: Generated<number>
  /** From 1, with each change that is noted. */
  version: Generated<number>
}

/** A plan that was made, and how it came out. The way back has none. */
export interface CampaignRoundTable {
  campaign_id: number
  round: number
  /** Of the plan as JSON (stored-plan.ts). */
  format: number
  plan: unknown
  indices: Campaign['indices']
  /** Valves of the plan, and those it leaves out. */
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
  /** Commands of the batch that have ended. */
  moved: Generated<number>
  /** When all of its commands were seen to have ended. */
  answered_ms: number | null
  unanswered: Generated<number>
}

/** What happened to a campaign, append only. */
export interface CampaignEventTable {
  id: GeneratedAlways<number>
  campaign_id: number
  at_ms: number
  event: CampaignHistoryEvent
  /** Who caused it; empty for what came by itself. */
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
