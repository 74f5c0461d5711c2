import type { SupplyCheck } from '@isotherm/contract/balancing/strategies'

/** The last order of a strategy: from one offset to another, K. */
export interface SupplyOrder {
  readonly at: number
  readonly fromK: number
  readonly toK: number
  /** Offsets of earlier orders that the controller had not reported by then: it may still report them. */
  readonly earlierK?: readonly number[]
  /** Its batch of commands; absent for advice. */
  readonly batch?: string
}

/** What a strategy stores of the supply temperature. Instants are Unix ms. */
export interface SupplyState {
  /** Its last decision, as shown to people. */
  readonly check: SupplyCheck
  readonly nextAt: number
  /** Offset before its first step, K; absent while there is nothing to restore. */
  readonly originalK?: number
  readonly order?: SupplyOrder
}
