import type { SupplyCheck } from '@isotherm/contract/balancing/strategies'

/** What a strategy stores of the supply temperature. Instants are Unix ms. */
export interface SupplyState {
  /** Its last decision, as shown to people. */
  readonly check: SupplyCheck
  readonly nextAt: number
  /** Offset before its first step, K; absent while there is nothing to restore. */
  readonly originalK?: number
  /** Its last order: from one offset to another, K. */
  readonly order?: { readonly at: number; readonly fromK: number; readonly toK: number }
}
