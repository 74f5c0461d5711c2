import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type {
  Campaign,
  CampaignDetail,
  CampaignEvent,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import type { Limiter } from '@isotherm/contract/filter'
import type { Transaction } from 'kysely'
import type { Tables } from '../../../../platform/tables.ts'
import type { RoundPlan, Verification } from '../../plan/planner.ts'

/** A campaign as lists show it to everybody; listAbilities adds what a caller may do. */
export type StoredCampaign = Omit<Campaign, 'abilities'> & {
  readonly nodePath: string
  /** When the readings of its plan were taken, Unix ms. */
  readonly plannedAt: number
  /** Whether this server version can read its newest plan. */
  readonly isReadable: boolean
}
export type StoredDetail = Omit<CampaignDetail, 'abilities'> & Pick<StoredCampaign, 'nodePath' | 'isReadable'>

/** A planned round, and its result once it has settled. */
export interface StoredRound {
  readonly round: number
  readonly plan: RoundPlan
  readonly verification: Verification | undefined
}

/** Filter of campaigns or strategies. */
export interface RowQuery<Kind, State> {
  readonly ids?: readonly number[] | undefined
  /** Rows at, above or below one of these nodes. */
  readonly paths?: readonly string[] | undefined
  readonly kinds?: readonly Kind[] | undefined
  readonly states?: readonly State[] | undefined
  readonly limiter: Limiter
}
export type CampaignQuery = RowQuery<BalanceKind, CampaignState>

/** The account that changes a campaign or strategy, and when (Unix ms). */
export interface Author {
  readonly accountId: number
  readonly account: string
  readonly at: number
}

/** Change by a person, from the version they read. */
export interface CampaignMove extends Author {
  readonly id: number
  readonly version: number
}

/** Changes by a person that need no new plan. */
export type PersonalEvent = Extract<
  CampaignEvent,
  'approve' | 'discard' | 'pause' | 'resume' | 'accept' | 'rollback'
>

/** Additional writes of a caller in the transaction of a change, before the change. */
export type ExtraWrites = (transaction: Transaction<Tables>) => Promise<void>
