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

/** A campaign as lists show it, for everybody: what the caller may do with it is said by listAbilities. */
export type StoredCampaign = Omit<Campaign, 'abilities'> & {
  readonly nodePath: string
  /** When what its plan is made of was read, Unix ms. */
  readonly plannedAt: number
  /** Whether this version of the server reads its last plan. */
  readonly isReadable: boolean
}
export type StoredDetail = Omit<CampaignDetail, 'abilities'> & Pick<StoredCampaign, 'nodePath' | 'isReadable'>

/** A plan that was made, and how it came out once it has settled. */
export interface StoredRound {
  readonly round: number
  readonly plan: RoundPlan
  readonly verification: Verification | undefined
}

/** Which campaigns, or strategies, are asked for. */
export interface RowQuery<Kind, State> {
  readonly ids?: readonly number[] | undefined
  /** Those at, above or below one of these. */
  readonly paths?: readonly string[] | undefined
  readonly kinds?: readonly Kind[] | undefined
  readonly states?: readonly State[] | undefined
  readonly limiter: Limiter
}
export type CampaignQuery = RowQuery<BalanceKind, CampaignState>

/** Who does something with a campaign, and when (Unix ms). */
export interface Doing {
  readonly accountId: number
  readonly account: string
  readonly at: number
}

/** What a person does with a campaign, from the version they saw. */
export interface CampaignMove extends Doing {
  readonly id: number
  readonly version: number
}

/** What a person may do without a plan of it being made. */
export type PersonalEvent = Extract<
  CampaignEvent,
  'approve' | 'discard' | 'pause' | 'resume' | 'accept' | 'rollback'
>

/** Work of a caller within the transaction of a change, before it. */
export type Beside = (transaction: Transaction<Tables>) => Promise<void>
