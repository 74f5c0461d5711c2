import type {
  Strategy,
  StrategyDetail,
  StrategyEvent,
  StrategyHappening,
  StrategyPlan,
  StrategyState,
} from '@isotherm/contract/balancing/strategies'
import type { Limiter } from '@isotherm/contract/filter'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Scope } from '../../../../platform/scope/scope.ts'
import type { Doing, RowQuery } from '../../campaign/storage/campaign-types.ts'
import type { Place } from '../../loop/place.ts'

/** A strategy as lists show it, for everybody. */
export type StoredStrategy = Omit<Strategy, 'abilities'> & { readonly nodePath: string }
export type StoredStrategyDetail = Omit<StrategyDetail, 'abilities'> & { readonly nodePath: string }

export interface HistoryPage {
  readonly datalist: StrategyHappening[]
  readonly total: number
}

export type StrategyQuery = RowQuery<StrategyPlan['kind'], StrategyState>

/** What a person does with a strategy, from the version they saw. */
export interface StrategyMove extends Doing {
  readonly id: number
  readonly version: number
}

export type PersonalStrategyEvent = Extract<StrategyEvent, 'start' | 'pause' | 'end'>

/**
 * Where strategies are kept. Each change is one transaction with its note in the operation log, and is signalled as
 * strategy_changed when that commits. Moves throw strategy.not-found, entity.stale and strategy.not-now, in this order.
 */
export interface StrategyStore {
  /** Of nodes that the scope covers, newest first. */
  list(
    scope: Scope,
    query: StrategyQuery,
  ): Promise<{ readonly rows: readonly StoredStrategy[]; readonly total: number }>
  find(scope: Scope, id: number): Promise<StoredStrategyDetail | undefined>
  /** What happened to a strategy of a node that the scope covers, newest first. */
  listHistory(scope: Scope, id: number, limiter: Limiter): Promise<HistoryPage | undefined>
  /** Stores a draft; its number. */
  add(place: Place, plan: StrategyPlan, who: Doing, operation: Operation): Promise<number>
  change(plan: StrategyPlan, move: StrategyMove, operation: Operation): Promise<void>
  /** Starting throws strategy.loop-taken while another strategy runs the loop. */
  move(event: PersonalStrategyEvent, move: StrategyMove, operation: Operation): Promise<void>
}
