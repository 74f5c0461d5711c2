import type { WeeklyOrder } from '@isotherm/contract/endpoints/control/group-schedules'
import { DAY_MS, MINUTE_MS, WEEK_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../platform/time-zone.ts'

/** An order at an instant, Unix ms. */
export interface TimedOrder {
  readonly at: number
  readonly openingPct: number
}

/** 1970-01-05, the first Monday of local time. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const toWeekStart = (localMs: number): number =>
  Math.floor((localMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS

/**
 * The orders from the week before an instant to the week after it, earliest first. A local time that the clocks skip is
 * an hour later; a local time that occurs twice is its first occurrence.
 */
function listAround(orders: readonly WeeklyOrder[], zone: TimeZone, instant: number): readonly TimedOrder[] {
  const week = toWeekStart(zone.toLocal(instant))
  return [-1, 0, 1, 2]
    .flatMap((weeks) =>
      orders.flatMap(({ days, minute, openingPct }) =>
        days.map((day) => ({
          at: zone.toInstant(week + weeks * WEEK_MS + day * DAY_MS + minute * MINUTE_MS),
          openingPct,
        })),
      ),
    )
    .toSorted((one, other) => one.at - other.at)
}

/** The next orders after an instant, earliest first; at most those of a week. */
export const listNext = (
  orders: readonly WeeklyOrder[],
  zone: TimeZone,
  after: number,
  count: number,
): readonly TimedOrder[] =>
  listAround(orders, zone, after)
    .filter(({ at }) => at > after)
    .slice(0, count)

/** The last order at or before an instant. */
export const findLast = (
  orders: readonly WeeklyOrder[],
  zone: TimeZone,
  until: number,
): TimedOrder | undefined => listAround(orders, zone, until).findLast(({ at }) => at <= until)
