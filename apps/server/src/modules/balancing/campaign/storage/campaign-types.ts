import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type {
  BalanceMode,
  Campaign,
  CampaignDetail,
  CampaignEvent,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import type { Limiter } from '@isotherm/contract/filter'
import type { Transaction } from 'kysely'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Scope } from '../../../../platform/scope/scope.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { Place } from '../../loop/place.ts'
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

/**
 * Where campaigns are kept. Each change is one transaction with its note in the operation log, and is signalled as
 * campaign_changed when that commits. Moves throw campaign.not-found, entity.stale and campaign.not-now, in this order.
 */
export interface CampaignStore {
  /** Of nodes that the scope covers, newest first. */
  list(
    scope: Scope,
    query: CampaignQuery,
  ): Promise<{ readonly rows: readonly StoredCampaign[]; readonly total: number }>
  find(scope: Scope, id: number): Promise<StoredDetail | undefined>
  /** Throws campaign.not-found. */
  getPlace(id: number): Promise<Place>
  /** The last round that was planned. Throws campaign.not-found, UnreadablePlan. */
  getRound(id: number): Promise<StoredRound>
  /** Stores a draft; its number. */
  add(place: Place, mode: BalanceMode, plan: RoundPlan, who: Doing, operation: Operation): Promise<number>
  /** Approving throws campaign.loop-taken while another campaign has the loop. */
  move(event: PersonalEvent, move: CampaignMove, operation: Operation, beside?: Beside): Promise<void>
  /**
   * Throws what the event would, and changes nothing: planning takes long. Approving throws entity.stale too, for a draft of
   * a loop that was moved since.
   */
  check(
    event: 'replan' | 'trim' | 'approve',
    move: Pick<CampaignMove, 'id' | 'version' | 'at'>,
  ): Promise<void>
  /** Puts a new plan into a draft, or begins another round with one. */
  putPlan(
    event: 'replan' | 'trim',
    move: CampaignMove,
    plan: RoundPlan,
    operation: Operation,
    beside?: Beside,
  ): Promise<void>
  /** Campaigns in each state that is not final. */
  countOpen(): Promise<ReadonlyMap<CampaignState, number>>
}
