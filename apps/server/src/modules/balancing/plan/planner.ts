import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type {
  BalanceIndices,
  BalanceMode,
  CampaignDetail,
  CampaignMember,
  FlowKnowledge,
} from '@isotherm/contract/balancing/campaign'
import type { Place } from '../loop/place.ts'

/** One wave of a plan, and where the loop is expected to stand after it. */
export interface PlannedStep {
  readonly kind: 'open' | 'close' | 'pump'
  readonly moves: readonly { readonly deviceId: number; readonly fromPct: number; readonly toPct: number }[]
  /** Instead of moves. */
  readonly pump?: PumpMove | undefined
  /** Less than this at a valve ends the campaign: number of the device and m³/h. */
  readonly leastFlowM3H: readonly (readonly [deviceId: number, flowM3H: number])[]
  /** Head at the station outside of this ends it. */
  readonly leastHeadKpa: number
  readonly mostHeadKpa: number
}

/** What one round of a campaign does and what it expects; kept as JSON. */
export interface RoundPlan {
  readonly plannedAt: number
  readonly flows: FlowKnowledge
  readonly settleMs: number
  /** Who is silent is waited for no longer than this, ms, however slowly emitters follow; without it as long as the round settles. */
  readonly lateMs?: number | undefined
  readonly common?: number | undefined
  readonly station: Pick<
    CampaignDetail['station'],
    'before' | 'expected' | 'pump' | 'pumpStays' | 'advisedHeadKpa'
  >
  readonly indices: {
    readonly before: BalanceIndices
    readonly expected: BalanceIndices
    readonly worst?: BalanceIndices | undefined
  }
  /** All valves of the loop below the node. `before` is as the round began. */
  readonly members: readonly CampaignMember[]
  readonly steps: readonly PlannedStep[]
  /** Valves that stop on their way because they may go no farther at once, and a pump that does or cannot be told now; not kept. */
  readonly heldBack?: readonly number[]
  /** More unanswered commands of a wave than this share end the campaign. */
  readonly mostUnanswered: number
  /** Rooms below the legal limit as the round was planned. */
  readonly coldRooms: number
  /** What later rounds need of this one: the planner's own, opaque to everybody else. */
  readonly memory: unknown
}

/** What is seen of a loop while a step settles. */
export interface Observation {
  readonly at: number
  /** m³/h by device; absent where nothing believable was measured. */
  readonly flowM3H: ReadonlyMap<number, number>
  readonly headKpa: number | undefined
  readonly coldRooms: number
}

/** How a round came out. */
export interface Verification {
  readonly station: CampaignDetail['station']['before']
  readonly indices: BalanceIndices
  /** What was measured and how the move was judged, by device. */
  readonly members: readonly Pick<CampaignMember, 'deviceId' | 'after' | 'verdict'>[]
  /** The round's memory with what was learned. */
  readonly memory: unknown
}

/** Reads a loop and thinks; moves nothing. */
export interface Planner {
  /** Throws balance.no-station. */
  findPlace(node: string): Promise<Place>
  /** Throws balance.not-measured, balance.no-weather. */
  plan(place: Place, mode: BalanceMode): Promise<RoundPlan>
  /** One plan for each mode, all from the same reading. Throws balance.not-measured, balance.no-weather. */
  planAll(place: Place, modes: readonly BalanceMode[]): Promise<readonly RoundPlan[]>
  /** The round after one that was verified, for those that are still away from their targets. Throws balance.not-measured. */
  trim(place: Place, mode: BalanceMode, last: RoundPlan, verified: Verification): Promise<RoundPlan>
  /** Readings since an instant. */
  observe(place: Place, plan: RoundPlan, since: number): Promise<Observation>
  /** Readings since an instant, after the round has settled. */
  verify(place: Place, mode: BalanceMode, plan: RoundPlan, since: number): Promise<Verification>
}
