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

/** State that the last accepted campaign of a loop left for a slow trim. */
export interface TrimBase {
  readonly memory: RoundMemory
  /** Plant days since that campaign was accepted. */
  readonly days: number
}

/** Minimum time between two steps of a trim: floors respond slowly. */
const MIN_DAYS = 1
/** Maximum number of days for which an error counts. */
const MAX_DAYS = 3
/** Maximum distance of an opening from its command if nobody moved the valve since, percentage points. */
const FOLLOWED_PCT = 1.5

/**
 * Start of a slow trim: the state of the trim before it, or the openings of the last balance. A valve that somebody
 * moved since starts from its present opening. Undefined within a day of the last campaign.
 */
export function toTrimMemory(
  { memory, days }: TrimBase,
  { consumers }: Pick<Loop, 'consumers'>,
  openingPct: Float64Array,
): TrimMemory | undefined {
  if (days < MIN_DAYS) return undefined
  const { devices, reportedPct, trim } = memory
  const placeOf = new Map(devices.map((deviceId, index) => [deviceId, index]))
  const places = consumers.map(({ deviceId }, index) => {
    const place = placeOf.get(deviceId)
    const commanded = place === undefined ? undefined : reportedPct[place]
    const isThere =
      commanded !== undefined && Math.abs(commanded - (openingPct[index] ?? Number.NaN)) <= FOLLOWED_PCT
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
    days: Math.min(MAX_DAYS, days),
  }
}

/**
 * Narrows the range of openings, 0 to 1, to TRIM_SPAN around the base of a slow trim, in whole per cent. The dead travel of
 * motors is added later.
 */
export const narrowToSpan = ({ min, max }: OpeningRange, { base }: TrimMemory): OpeningRange => ({
  min: min.map((value, index) =>
    Math.max(value, Math.ceil(100 * ((base[index] ?? 0) - TRIM_SPAN) - 1e-6) / 100),
  ),
  max: max.map((value, index) =>
    Math.min(value, Math.floor(100 * ((base[index] ?? 1) + TRIM_SPAN) + 1e-6) / 100),
  ),
})
