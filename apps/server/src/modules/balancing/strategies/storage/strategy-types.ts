import type {
  Strategy,
  StrategyDetail,
  StrategyEvent,
  StrategyHistoryEntry,
  StrategyPlan,
  StrategyState,
} from '@isotherm/contract/balancing/strategies'
import type { Author, RowQuery } from '../../campaign/storage/campaign-types.ts'

/** A strategy as lists show it to everybody. */
export type StoredStrategy = Omit<Strategy, 'abilities'> & { readonly nodePath: string }
export type StoredStrategyDetail = Omit<StrategyDetail, 'abilities'> & { readonly nodePath: string }

export interface HistoryPage {
  readonly datalist: StrategyHistoryEntry[]
  readonly total: number
}

export type StrategyQuery = RowQuery<StrategyPlan['kind'], StrategyState>

/** Change by a person, from the version they read. */
export interface StrategyMove extends Author {
  readonly id: number
  readonly version: number
}

export type PersonalStrategyEvent = Extract<StrategyEvent, 'start' | 'pause' | 'end'>
