const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Wait before reconnection attempt `attempt` (from 0), ms: doubling up to half a minute, with jitter over the
 * upper half so that a restarted server is not met by every console in the same moment.
 */
export function computeBackoffMs(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 20))
  return full / 2 + (full / 2) * random()
}
