import type { StrategyOutcome } from '@isotherm/contract/balancing/strategies'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { type Hindrance, RETRY_MS } from './tick-needs.ts'

/** Maximum time between two tries, ms. */
const LONGEST_MS = HOUR_MS
/** An outcome older than this, ms, does not count: the strategy was stopped in between. */
const STALE_MS = 2 * LONGEST_MS

/**
 * When to retry after a failure at an instant, Unix ms: after five minutes; after the same failure again, after twice
 * the previous time, up to an hour. A loop that another campaign has may become free at any time. Rooms that respond
 * to moves are at rest at a known time.
 */
export function toRetryAt(last: StrategyOutcome | null, hindrance: Hindrance, now: number): number {
  const { kind, code, params } = hindrance
  if (code === 'balance.rooms-moving' && typeof params?.hours === 'number')
    return now + Math.max(RETRY_MS, params.hours * HOUR_MS)
  const isSame = last?.kind === kind && last.code === code && kind !== 'loop-taken'
  const waitedMs = last && isSame && now - last.at <= STALE_MS ? now - last.at : 0
  return now + Math.min(LONGEST_MS, Math.max(RETRY_MS, 2 * waitedMs))
}
