import type { ConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { DAY_MS } from '@isotherm/kernel/durations'
import { toDayNumber, toDayStart } from '../../../shared/format/zone-days.ts'

/**
 * The span of the running heating season up to `now` (Unix ms), or of the last one that ended. Its days are those of the
 * plant, as in every report.
 */
export function toSeasonSpan(
  { heatingSeason: { first, last }, timeZone }: Pick<ConsoleSettings, 'heatingSeason' | 'timeZone'>,
  now: number,
) {
  /** Midnight at the beginning of a day such as `11-15`. */
  function toMidnight(year: number, monthDay: string, daysLater = 0): number {
    const [month = 1, day = 1] = monthDay.split('-').map(Number)
    return toDayStart(Date.UTC(year, month - 1, day + daysLater) / DAY_MS, timeZone)
  }
  const year = new Date(toDayNumber(now, timeZone) * DAY_MS).getUTCFullYear()
  const begun = toMidnight(year, first) <= now ? year : year - 1
  const ends = last < first ? begun + 1 : begun
  return { from: toMidnight(begun, first), to: Math.min(now, toMidnight(ends, last, 1)) }
}
