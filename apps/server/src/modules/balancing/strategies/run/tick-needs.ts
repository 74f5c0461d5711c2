import type { StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import type { Clock } from '../../../../platform/clock.ts'
import type { Call } from '../../../../platform/http/call.ts'
import type { TimeZone } from '../../../../platform/time-zone.ts'
import type { CommandsService } from '../../../commands/index.ts'
import type { NetworkService } from '../../../network/index.ts'
import type { FindAccess } from '../../campaign/run/act-for.ts'
import type { CampaignStore } from '../../campaign/storage/campaign-changes.pg.ts'
import type { Place } from '../../loop/place.ts'
import type { Planner } from '../../plan/planner.ts'
import type { LoopSight, SightNeeds } from '../rooms/loop-snapshot.ts'
import type { HeldStrategy } from '../storage/strategy-changes.pg.ts'

export interface StrategyLookNeeds extends Pick<SightNeeds, 'db'> {
  readonly clock: Clock
  readonly campaigns: Pick<CampaignStore, 'list' | 'getPlace' | 'getRound' | 'check' | 'move' | 'putPlan'>
  readonly planner: Pick<Planner, 'findPlace' | 'plan' | 'trim'>
  /** Throws balance.no-station. */
  readonly readSight: (place: Place) => Promise<LoopSight>
  readonly network: Pick<NetworkService, 'findParts'>
  readonly commands: Pick<CommandsService, 'preview' | 'requireHead'>
  readonly findAccess: FindAccess
}

/** What one look knows of its strategy. */
export interface StrategySight {
  readonly strategy: HeldStrategy
  readonly zone: TimeZone
  /** In the name of for whom it acts, with what they may do now. */
  readonly acting: Pick<Call, 'caller' | 'operation'>
  readonly now: number
}

/** What became of a look that could not do what was due. */
export type Hindrance = Omit<StrategyOutcome, 'at'>

/** Between two looks at a campaign that is under way, ms; its own signals come sooner. */
export const FOLLOW_MS = 10_000
/** After which what could not be done is tried again, ms. */
export const RETRY_MS = 300_000
