import { toEntries } from '@isotherm/balancing/rooms/time-slots'
import type { SlotLevel } from '@isotherm/contract/balancing/campaign'
import type { SequenceGroup } from '@isotherm/contract/balancing/strategies'
import { DAY_MS, MINUTE_MS, WEEK_MS } from '@isotherm/kernel/durations'
import type { TimeZone } from '../../../../platform/time-zone.ts'

/** Level of a group from an instant (Unix ms) until the next border. */
export interface Border {
  readonly at: number
  readonly level: SlotLevel
}

const DAY_MINUTES = 1_440
/** 1970-01-05, the first Monday of local time. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const toWeekStart = (localMs: number): number =>
  Math.floor((localMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS

/**
 * Borders of a group in the order of time: the one that is valid at `from`, and all after it until `to`. Unix ms.
 */
export function listBorders(
  { slots, base, shiftMinutes }: Pick<SequenceGroup, 'slots' | 'base' | 'shiftMinutes'>,
  zone: TimeZone,
  from: number,
  to: number,
): readonly Border[] {
  const entries = toEntries(
    slots.map(({ day, fromMinute, toMinute, level }) => ({
      fromMinute: day * DAY_MINUTES + fromMinute,
      toMinute: day * DAY_MINUTES + toMinute,
      held: level,
    })),
    base,
  )
  const borders: Border[] = []
  const last = zone.toLocal(to)
  let at = Number.NEGATIVE_INFINITY
  // The week before is valid until the first border of this one, and shifts reach from one week into the next.
  for (let week = toWeekStart(zone.toLocal(from)) - WEEK_MS; week <= last; week += WEEK_MS)
    for (const { fromMinute, held } of entries) {
      // A border within a clock change is late, and none comes before the one before it.
      at = Math.max(at, zone.toInstant(week + (fromMinute + shiftMinutes) * MINUTE_MS))
      borders.push({ at, level: held })
    }
  const now = Math.max(
    0,
    borders.findLastIndex(({ at }) => at <= from),
  )
  return borders.slice(now).filter(({ at }, index) => index === 0 || at <= to)
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
export type FindPreheat = (border: Border, lowSince: number) => number

/** When the group must be brought over a border: never before the previous border. */
export const toStart = (before: Border, border: Border, findPreheat: FindPreheat): number =>
  isRise(before.level, border.level)
    ? Math.max(before.at, border.at - findPreheat(border, before.at))
    : border.at

/** Present level of a group, and when it must be brought over the next border, Unix ms. */
export interface GroupDue {
  readonly wanted: Border
  readonly nextAt: number | undefined
}

/**
 * The border that a group should be over at an instant. An early start is not undone, and missed borders are not made
 * up for. `borders` are from listBorders from that instant on.
 */
export function findDue(
  borders: readonly Border[],
  held: Border | undefined,
  now: number,
  findPreheat: FindPreheat,
): GroupDue | undefined {
  const [current, ...coming] = borders
  if (!current) return undefined
  let wanted = current
  for (const border of coming) {
    const isBegun = held !== undefined && held.at >= border.at
    const beginsAt = isBegun ? now : toStart(wanted, border, findPreheat)
    if (beginsAt > now) return { wanted, nextAt: beginsAt }
    wanted = border
  }
  return { wanted, nextAt: undefined }
}
