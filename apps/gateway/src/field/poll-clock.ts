import { MINUTE_MS } from '@isotherm/kernel/durations'

/** Maximum offset of the polls of a line from the start of their period, ms, and its maximum share of the period. */
const MAX_OFFSET_MS = MINUTE_MS
const OFFSET_SHARE = 0.1

/** Hash of a text as a number from 0 to 1 (FNV-1a). */
function toShare(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

/**
 * Periods of polls, aligned to UTC, so that the readings of all lines are of nearly the same instant. Each line
 * starts with an offset that depends on its name, so that thousands of lines do not start at once.
 */
export interface PollClock {
  /** Number of the period that runs at an instant, Unix ms. */
  readonly slotAt: (ms: number) => number
  /** Start of a period, Unix ms. */
  readonly startOf: (slot: number) => number
}

export function createPollClock(periodMs: number, lineId: string): PollClock {
  const offsetMs = Math.floor(Math.min(MAX_OFFSET_MS, OFFSET_SHARE * periodMs) * toShare(lineId))
  return {
    slotAt: (ms) => Math.floor((ms - offsetMs) / periodMs),
    startOf: (slot) => slot * periodMs + offsetMs,
  }
}
