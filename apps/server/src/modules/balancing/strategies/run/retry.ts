import type { StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { type Hindrance, RETRY_MS } from './tick-needs.ts'

/** However often it could not be done, ms. */
const LONGEST_MS = HOUR_MS
/** What was tried longer ago, ms, was tried before somebody stopped it. */
const STALE_MS = 2 * LONGEST_MS

/**
 * When to try again what could not be done at an instant, Unix ms: after five minutes, for the same reason once more after
 * twice as long, up to an hour. A loop that another campaign has may be free at any time.
 */
export function toRetryAt(last: StrategyOutcome | null, hindrance: Hindrance, now: number): number {
  const { kind, code } = hindrance
  const isSame = last?.kind === kind && last.code === code && kind !== 'loop-taken'
  const waitedMs = last && isSame && now - last.at <= STALE_MS ? now - last.at : 0
  return now + Math.min(LONGEST_MS, Math.max(RETRY_MS, 2 * waitedMs))
}
