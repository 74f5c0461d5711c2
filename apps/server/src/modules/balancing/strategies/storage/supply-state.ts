import type { SupplyCheck } from '@isotherm/contract/balancing/strategies'

/** The last order of a strategy: from one offset to another, K. */
export interface SupplyOrder {
  readonly at: number
  readonly fromK: number
  readonly toK: number
  /** Offsets of earlier orders that the controller had not reported by then: it may still report them. */
  readonly earlierK?: readonly number[]
  /** True if it compensates for a lower flow. */
  readonly isForFlow?: true
  /** Its batch of commands; absent for advice. */
  readonly batch?: string
}

/** A step of the pump's head, kPa. */
export interface HeadOrder {
  /** Head before the first step. */
  readonly originalKpa: number
  readonly fromKpa: number
  readonly toKpa: number
  /** Absent while the supply temperature has to rise first. */
  readonly at?: number
}

/** What a strategy stores of the supply temperature. Instants are Unix ms. */
export interface SupplyState {
  /** Its last decision, as shown to people. */
  readonly check: SupplyCheck
  readonly nextAt: number
  /** Offset before its first step, K; absent while there is nothing to restore. */
  readonly originalK?: number
  readonly order?: SupplyOrder
  /** The last step of the head; absent while there is nothing to restore. */
  readonly head?: HeadOrder
  /** The highest head since the strategy began to lower heads, kPa. The lowest allowed head is a share of it. */
  readonly firstKpa?: number
}

/** Whether a strategy still has an offset or a head to restore. */
export const hasToRestore = (state: SupplyState | null | undefined): boolean =>
  state?.originalK !== undefined || state?.head !== undefined
