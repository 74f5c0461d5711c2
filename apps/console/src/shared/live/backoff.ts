const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Wait before reconnection attempt `attempt` (from 0), ms. Doubles up to 30 s, with random jitter over the upper half,
 * so that not all consoles reconnect to a restarted server at once.
 */
export function computeBackoffMs(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 20))
  return full / 2 + (full / 2) * random()
}
