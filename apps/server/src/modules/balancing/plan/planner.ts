import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type {
  BalanceIndices,
  BalanceMode,
  CampaignDetail,
  CampaignMember,
  FlowKnowledge,
} from '@isotherm/contract/balancing/campaign'
import type { ErrorParams } from '@isotherm/contract/errors'
import type { Place } from '../loop/place.ts'

/** One wave of a plan, and the expected state of the loop after it. */
export interface PlannedStep {
  readonly kind: 'open' | 'close' | 'pump'
  readonly moves: readonly { readonly deviceId: number; readonly fromPct: number; readonly toPct: number }[]
  /** In a step of the pump, instead of moves. */
  readonly pump?: PumpMove | undefined
  /** Minimum flow of each valve: id of the device and m³/h. A lower one aborts the campaign. */
  readonly minFlowM3H: readonly (readonly [deviceId: number, flowM3H: number])[]
  /** Allowed range of the head at the station; outside it the campaign aborts. */
  readonly minHeadKpa: number
  readonly maxHeadKpa: number
}

/** Actions and predictions of one round of a campaign; stored as JSON. */
export interface RoundPlan {
  readonly plannedAt: number
  readonly flows: FlowKnowledge
  readonly settleMs: number
  /**
   * Maximum time to wait for silent devices, ms. It does not depend on the emitters. By default the settling time.
   */
  readonly lateMs?: number | undefined
  /** Room targets: time from the last wave until rooms are at rest, ms; a trim would be refused before. */
  readonly roomRestMs?: number | undefined
  readonly common?: number | undefined
  readonly station: Pick<
    CampaignDetail['station'],
    'before' | 'expected' | 'pump' | 'pumpStays' | 'advisedHeadKpa' | 'exchanger'
  >
  readonly indices: {
    readonly before: BalanceIndices
    readonly expected: BalanceIndices
    readonly best?: BalanceIndices | undefined
    readonly worst?: BalanceIndices | undefined
  }
  /** All valves of the loop below the node. `before` is the state at the start of the round. */
  readonly members: readonly CampaignMember[]
  readonly steps: readonly PlannedStep[]
  /**
   * Valves that do not reach their target in this round because of their maximum move at once; also the pump, if it
   * does not or if it accepts no command now. Not stored.
   */
  readonly heldBack?: readonly number[]
  /**
   * Parameters of balance.not-identified if the plan expects worse than now: it must not be carried out
   * (`requireIdentified`). Not stored.
   */
  readonly refusal?: ErrorParams | undefined
  /** Maximum share of unanswered commands of a wave. */
  readonly maxUnansweredShare: number
  /** Rooms below the legal limit when the round was planned. */
  readonly coldRooms: number
  /** State for later rounds; only the planner reads it. */
  readonly memory: unknown
}

/** Readings of a loop while a wave settles. */
export interface Observation {
  readonly at: number
  /** m³/h by device; absent without a trusted reading. */
  readonly flowM3H: ReadonlyMap<number, number>
  readonly headKpa: number | undefined
  readonly coldRooms: number
}

/** Result of a round. */
export interface Verification {
  readonly station: CampaignDetail['station']['before']
  readonly indices: BalanceIndices
  /** Readings and the verdict of the move, by device. */
  readonly members: readonly Pick<CampaignMember, 'deviceId' | 'after' | 'verdict'>[]
  /** Valves to open again: they closed further than planned and than rooms allow. Not stored. */
  readonly overClosed?: readonly { readonly deviceId: number; readonly toPct: number }[] | undefined
  /** Memory of the round with what it learned. */
  readonly memory: unknown
}

/** Reads a loop and plans; moves nothing. */
export interface Planner {
  /** Throws balance.no-station. */
  findPlace(node: string): Promise<Place>
  /** Throws balance.not-measured, balance.no-weather, balance.rooms-moving. */
  plan(place: Place, mode: BalanceMode): Promise<RoundPlan>
  /** One plan for each mode, all from the same readings. Throws what `plan` throws. */
  planAll(place: Place, modes: readonly BalanceMode[]): Promise<readonly RoundPlan[]>
  /**
   * The round after a verified one, for valves that are still off their targets. Throws balance.not-measured,
   * balance.rooms-moving.
   */
  trim(place: Place, mode: BalanceMode, last: RoundPlan, verified: Verification): Promise<RoundPlan>
  /** Readings since an instant. */
  observe(place: Place, plan: RoundPlan, since: number): Promise<Observation>
  /**
   * Readings since an instant, after the round has settled. Throws balance.not-measured also if a required valve has none.
   */
  verify(
    place: Place,
    mode: BalanceMode,
    plan: RoundPlan,
    since: number,
    required?: readonly number[],
  ): Promise<Verification>
}
