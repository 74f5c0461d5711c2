import type { Gate } from '@isotherm/kernel/gate'
import { createCallerGate } from '../../platform/tasks/turns/caller-gate.ts'

/** Curves are fast, so many of one caller may wait. Queries over a whole company are not. */
const CURVES = { running: 6, waiting: 200 } as const
const SUMS = { running: 3, waiting: 30 } as const

/**
 * Limits of concurrent queries, so that the engine has capacity for inserts. Callers take turns, and a query too many of one throws
 * request.too-many.
 */
export interface QueryLimits {
  /** For curves of single devices. */
  readonly curves: Gate
  /** For queries over many devices. */
  readonly sums: Gate
}

export const createQueryLimits = (): QueryLimits => ({
  curves: createCallerGate(CURVES),
  sums: createCallerGate(SUMS),
})
