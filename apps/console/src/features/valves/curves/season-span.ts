import type { ConsoleSettings } from '@isotherm/contract/endpoints/console'

/** Midnight in the viewer's zone at the beginning of a day such as `11-15`, or of one some days later, Unix ms. */
function toMidnight(year: number, monthDay: string, daysLater = 0): number {
  const [month = 1, day = 1] = monthDay.split('-').map(Number)
  return new Date(year, month - 1, day + daysLater).getTime()
}

/** The heating season that is under way at `now` (Unix ms), up to now; when none is, the last that ended. */
export function toSeasonSpan({ first, last }: ConsoleSettings['heatingSeason'], now: number) {
  const year = new Date(now).getFullYear()
  const begun = toMidnight(year, first) <= now ? year : year - 1
  const ends = last < first ? begun + 1 : begun
  return { from: toMidnight(begun, first), to: Math.min(now, toMidnight(ends, last, 1)) }
}
