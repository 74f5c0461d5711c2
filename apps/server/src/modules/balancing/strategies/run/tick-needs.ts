import type { StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import type { FindAccess } from '../../../../platform/caller-of-account.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Call } from '../../../../platform/http/call.ts'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { TimeZone } from '../../../../platform/time-zone.ts'
import type { CommandsService, PumpService, SupplyService } from '../../../commands/index.ts'
import type { NetworkService } from '../../../network/index.ts'
import type {
  CampaignMove,
  ExtraWrites,
  PersonalEvent,
  StoredCampaign,
} from '../../campaign/storage/campaign-types.ts'
import type { Place } from '../../loop/place.ts'
import type { Planner } from '../../plan/planner.ts'
import type { LoopSnapshot, SnapshotNeeds } from '../rooms/loop-snapshot.ts'
import type { SupplyRooms } from '../rooms/supply-rooms.ts'
import type { StationAddress, SupplyStation } from '../rooms/supply-station.ts'
import type { LeasedStrategy } from '../storage/strategy-changes.pg.ts'

export interface StrategyTickNeeds extends Pick<SnapshotNeeds, 'db'> {
  readonly clock: Clock
  readonly findCampaign: (id: number) => Promise<StoredCampaign | undefined>
  /** Throws what an approval would throw; see checkCampaignMove. */
  readonly checkApproval: (move: CampaignMove) => Promise<void>
  /** See moveCampaign. */
  readonly moveCampaign: (
    event: PersonalEvent,
    move: CampaignMove,
    operation: Operation,
    extraWrites: ExtraWrites,
  ) => Promise<void>
  readonly planner: Pick<Planner, 'findPlace' | 'plan' | 'trim'>
  /** Throws balance.no-station. */
  readonly readSnapshot: (place: Place) => Promise<LoopSnapshot>
  readonly network: Pick<NetworkService, 'findParts'>
  readonly commands: Pick<CommandsService, 'preview' | 'requireHead'>
  readonly findAccess: FindAccess
  readonly supply: SupplyWatchNeeds
}

/** What decides on the supply temperature. */
export interface SupplyWatchNeeds {
  readonly supplies: Pick<SupplyService, 'setOffset' | 'findLimits' | 'findLastOrder'>
  readonly pumps: Pick<PumpService, 'setHead' | 'findLimits'>
  /** Throws balance.no-station. */
  readonly readRooms: (place: Place) => Promise<SupplyRooms>
  /** Reads neither rooms nor history, so that an offset is restored without them. Throws balance.no-station. */
  readonly readStation: (address: StationAddress) => Promise<SupplyStation>
  /** Time factor of the plant; undefined for a real plant. */
  readonly timeFactor: () => number | undefined
}

/** Context of one tick. */
export interface StrategyContext {
  readonly strategy: LeasedStrategy
  readonly zone: TimeZone
  /** The account for which it acts, with its present permissions. */
  readonly acting: Pick<Call, 'caller' | 'operation'>
  readonly now: number
}

/** Outcome of a tick that could not do what was due. */
export type Hindrance = Omit<StrategyOutcome, 'at'>

/** Maximum time between two ticks while a campaign runs, ms; its signals come sooner. */
export const WATCH_MS = 10_000
/** Minimum time before a retry, ms. */
export const RETRY_MS = 300_000

/** No tick is due. */
export const NEVER = Number.MAX_SAFE_INTEGER
