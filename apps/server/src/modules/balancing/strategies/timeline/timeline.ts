import { toEntries } from '@isotherm/balancing/rooms/time-slots'
import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { SequenceGroup } from '@isotherm/contract/balancing/strategies'
import { DAY_MS, MINUTE_MS, WEEK_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../../../platform/time-zone.ts'

/** Level of a group from an instant (Unix ms) until the next boundary. */
export interface Boundary {
  readonly at: number
  readonly level: SlotLevel
}

const DAY_MINUTES = 1_440
/** 1970-01-05, the first Monday of local time. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const toWeekStart = (localMs: number): number =>
  Math.floor((localMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS

/**
 * Boundaries of a group in the order of time: the one that is valid at `from`, and all after it until `to`. Unix ms.
 */
export function listBoundaries(
  { slots, base, shiftMinutes }: Pick<SequenceGroup, 'slots' | 'base' | 'shiftMinutes'>,
  zone: TimeZone,
  from: number,
  to: number,
): readonly Boundary[] {
  const entries = toEntries(
    slots.map(({ day, fromMinute, toMinute, level }) => ({
      fromMinute: day * DAY_MINUTES + fromMinute,
      toMinute: day * DAY_MINUTES + toMinute,
      held: level,
    })),
    base,
  )
  const boundaries: Boundary[] = []
  const last = zone.toLocal(to)
  let at = Number.NEGATIVE_INFINITY
  // The week before is valid until the first boundary of this one, and shifts reach from one week into the next.
  for (let week = toWeekStart(zone.toLocal(from)) - WEEK_MS; week <= last; week += WEEK_MS)
    for (const { fromMinute, held } of entries) {
      // A boundary within a clock change is late, and none comes before the one before it.
      at = Math.max(at, zone.toInstant(week + (fromMinute + shiftMinutes) * MINUTE_MS))
      boundaries.push({ at, level: held })
    }
  const now = Math.max(
    0,
    boundaries.findLastIndex(({ at }) => at <= from),
  )
  return boundaries.slice(now).filter(({ at }, index) => index === 0 || at <= to)
}

/** Whether rooms need more heat at one level than at another. */
export function isRise(from: SlotLevel, to: SlotLevel): boolean {
  if (from.kind === 'flow' && to.kind === 'flow') return to.share > from.share
  if (from.kind === 'room' && to.kind === 'room') return to.roomC > from.roomC
  return from.kind === 'flow' ? from.share < 1 : to.kind === 'flow' && to.share >= 1
}

export const isSameLevel = (one: SlotLevel, other: SlotLevel): boolean =>
  one.kind === 'flow'
    ? other.kind === 'flow' && one.share === other.share
    : other.kind === 'room' && one.roomC === other.roomC

/** Time before its slot at which a group starts, ms; `lowSince` is the start of the level before the slot. */
export type FindPreheat = (boundary: Boundary, lowSince: number) => number

/** When the group must be brought over a boundary: never before the previous boundary. */
export const toStart = (before: Boundary, boundary: Boundary, findPreheat: FindPreheat): number =>
  isRise(before.level, boundary.level)
    ? Math.max(before.at, boundary.at - findPreheat(boundary, before.at))
    : boundary.at

/** Present level of a group, and when it must be brought over the next boundary, Unix ms. */
export interface GroupDue {
  readonly wanted: Boundary
  readonly nextAt: number | undefined
}

/**
 * The boundary that a group should be over at an instant. An early start is not undone, and missed boundaries are not made
 * up for. `boundaries` are from listBoundaries from that instant on.
 */
export function findDue(
  boundaries: readonly Boundary[],
  held: Boundary | undefined,
  now: number,
  findPreheat: FindPreheat,
): GroupDue | undefined {
  const [current, ...coming] = boundaries
  if (!current) return undefined
  let wanted = current
  for (const boundary of coming) {
    const isBegun = held !== undefined && held.at >= boundary.at
    const beginsAt = isBegun ? now : toStart(wanted, boundary, findPreheat)
    if (beginsAt > now) return { wanted, nextAt: beginsAt }
    wanted = boundary
  }
  return { wanted, nextAt: undefined }
}
