import type { OpeningRange } from '@isotherm/balancing/moves/moves-within'
import { TRIM_SPAN, type TrimMemory } from '@isotherm/balancing/proportional/slow-trim'
import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { Loop } from '../loop/loop.ts'
import type { RoundMemory } from './round-memory.ts'

export const isSlowTrim = (mode: BalanceMode): boolean =>
  mode.kind === 'temperature' && mode.method === 'slow-trim'

/**
 * Finds the memory of the last accepted campaign of a station's loop, and when it ended (Unix ms). Undefined without such a
 * campaign, or if its plan has the format of another server version.
 */
export type FindTrimBase = (
  stationNodeId: number,
) => Promise<(Pick<TrimBase, 'memory'> & { readonly endedAt: number }) | undefined>

/** What the last accepted campaign of a loop left to a slow trim. */
export interface TrimBase {
  readonly memory: RoundMemory
  /** Since it was accepted, days of the plant. */
  readonly days: number
}

/** A trim takes no more than one step a day: it is slower than floors. */
const LEAST_DAYS = 1
/** No error is believed to have been there for longer, days. */
const MOST_DAYS = 3
/** How far a valve may stand from what it was told, percentage points, to have been moved by nobody since. */
const FOLLOWED_PCT = 1.5

/**
 * Where a slow trim goes on: with what the trim before it left, or at what the balance before it told. A valve that somebody
 * moved since begins anew from where it stands. Undefined within a day of the last campaign.
 */
export function toTrimMemory(
  { memory, days }: TrimBase,
  { consumers }: Pick<Loop, 'consumers'>,
  openingPct: Float64Array,
): TrimMemory | undefined {
  if (days < LEAST_DAYS) return undefined
  const { devices, reportedPct, trim } = memory
  const placeOf = new Map(devices.map((deviceId, index) => [deviceId, index]))
  const places = consumers.map(({ deviceId }, index) => {
    const place = placeOf.get(deviceId)
    const told = place === undefined ? undefined : reportedPct[place]
    const isThere = told !== undefined && Math.abs(told - (openingPct[index] ?? Number.NaN)) <= FOLLOWED_PCT
    return isThere ? place : undefined
  })
  return {
    base: Float64Array.from(places, (place, index) =>
      place === undefined
        ? (openingPct[index] ?? 0) / 100
        : (trim?.base[place] ?? (reportedPct[place] ?? 0) / 100),
    ),
    integralKd: Float64Array.from(places, (place) =>
      place === undefined ? 0 : (trim?.integralKd[place] ?? 0),
    ),
    days: Math.min(MOST_DAYS, days),
  }
}

/** Openings that are told by a slow trim, whatever motors add for their dead travel: whole percents within its span. */
export const narrowToSpan = ({ least, most }: OpeningRange, { base }: TrimMemory): OpeningRange => ({
  least: least.map((value, index) =>
    Math.max(value, Math.ceil(100 * ((base[index] ?? 0) - TRIM_SPAN) - 1e-6) / 100),
  ),
  most: most.map((value, index) =>
    Math.min(value, Math.floor(100 * ((base[index] ?? 1) + TRIM_SPAN) + 1e-6) / 100),
  ),
})
