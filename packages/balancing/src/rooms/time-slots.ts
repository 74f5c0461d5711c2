/** Minutes of a week, from Monday 00:00. */
const WEEK_MINUTES = 7 * 24 * 60

/** From `fromMinute` of the week until the next entry, what a group is held to. Entries in the order of time. */
export interface SlotEntry<Held> {
  readonly fromMinute: number
  readonly held: Held
}

/** What holds at a minute of the week: the last entry before it, of last week where it is before the first. */
export function slotAt<Held>(entries: readonly SlotEntry<Held>[], weekMinute: number): Held | undefined {
  const minute = ((weekMinute % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES
  return (entries.findLast(({ fromMinute }) => fromMinute <= minute) ?? entries.at(-1))?.held
}

/** A slot of a timetable that holds until its end, in minutes of the week. */
export interface WeekSlot<Held> extends SlotEntry<Held> {
  readonly toMinute: number
}

/** What holds through the week where slots hold what they say and `base` holds between them. */
export function toEntries<Held>(slots: readonly WeekSlot<Held>[], base: Held): readonly SlotEntry<Held>[] {
  const sorted = slots.toSorted((one, other) => one.fromMinute - other.fromMinute)
  const begun = new Set(sorted.map(({ fromMinute }) => fromMinute))
  const ends = sorted.flatMap(({ toMinute }) => {
    const minute = toMinute % WEEK_MINUTES
    return begun.has(minute) ? [] : [{ fromMinute: minute, held: base }]
  })
  const entries = [...sorted.map(({ fromMinute, held }) => ({ fromMinute, held })), ...ends]
  return entries.length === 0
    ? [{ fromMinute: 0, held: base }]
    : entries.sort((one, other) => one.fromMinute - other.fromMinute)
}

/** Minutes of the week at which something changes for any group, in order: openings and head are solved anew at each. */
export function slotBoundaries(groups: readonly (readonly SlotEntry<unknown>[])[]): number[] {
  const minutes = new Set(groups.flatMap((entries) => entries.map(({ fromMinute }) => fromMinute)))
  return [...minutes].sort((one, other) => one - other)
}

/** A building that is to be warm again. Temperatures °C. */
export interface Preheat {
  readonly timeConstantS: number
  readonly nowC: number
  readonly wantedC: number
  /** Where the boosted heat would lead in the end. */
  readonly boostedC: number
}

/**
 * How long before its time heating must begin: t = τ·ln((T_∞ − T_0)/(T_∞ − T_set)), s; 0 when it is warm already,
 * Infinity when the boosted heat never gets there. Worked example: time-slots.test.ts.
 */
export function preheatTime({ timeConstantS, nowC, wantedC, boostedC }: Preheat): number {
  if (nowC >= wantedC) return 0
  if (boostedC <= wantedC) return Number.POSITIVE_INFINITY
  return timeConstantS * Math.log((boostedC - nowC) / (boostedC - wantedC))
}

/** What a building cools to after `durationS` without heat, °C: T_o + (T_0 − T_o)·e^(−t/τ). For the frost floor. */
export const cooledTo = (timeConstantS: number, nowC: number, outdoorC: number, durationS: number): number =>
  outdoorC + (nowC - outdoorC) * Math.exp(-durationS / timeConstantS)
