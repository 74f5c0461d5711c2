import type { ConsoleSettings } from '@isotherm/contract/endpoints/administration/console'

/** Midnight at the beginning of a day such as `11-15`, in the viewer's time zone, Unix ms. */
function toMidnight(year: number, monthDay: string, daysLater = 0): number {
  const [month = 1, day = 1] = monthDay.split('-').map(Number)
  return new Date(year, month - 1, day + daysLater).getTime()
}

/** The span of the running heating season up to `now` (Unix ms), or of the last one that ended. */
export function toSeasonSpan({ first, last }: ConsoleSettings['heatingSeason'], now: number) {
  const year = new Date(now).getFullYear()
  const begun = toMidnight(year, first) <= now ? year : year - 1
  const ends = last < first ? begun + 1 : begun
  return { from: toMidnight(begun, first), to: Math.min(now, toMidnight(ends, last, 1)) }
}
