/** Minutes of a week, from Monday 00:00. */
const WEEK_MINUTES = 7 * 24 * 60

/** Level of a group from `fromMinute` of the week until the next entry. Entries are in the order of time. */
export interface SlotEntry<Held> {
  readonly fromMinute: number
  readonly held: Held
}

/**
 * The level at a minute of the week: that of the last entry before it, or of the last entry of the week before.
 */
export function slotAt<Held>(entries: readonly SlotEntry<Held>[], weekMinute: number): Held | undefined {
  const minute = ((weekMinute % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES
  return (entries.findLast(({ fromMinute }) => fromMinute <= minute) ?? entries.at(-1))?.held
}

/** A slot of a timetable with its end, in minutes of the week. */
export interface WeekSlot<Held> extends SlotEntry<Held> {
  readonly toMinute: number
}

/** Levels through the week: those of the slots, and `base` between them. */
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

/** Minutes of the week at which any group changes, in order: openings and head are computed again at each. */
export function slotBoundaries(groups: readonly (readonly SlotEntry<unknown>[])[]): number[] {
  const minutes = new Set(groups.flatMap((entries) => entries.map(({ fromMinute }) => fromMinute)))
  return [...minutes].sort((one, other) => one - other)
}

/** A building that must be warm again. Temperatures °C. */
export interface Preheat {
  readonly timeConstantS: number
  readonly nowC: number
  readonly wantedC: number
  /** Final temperature with the boosted heat. */
  readonly boostedC: number
}

/**
 * Time before the target at which heating must start: t = τ·ln((T_∞ − T_0)/(T_∞ − T_set)), s; 0 if the building is
 * already warm, Infinity if the boosted heat never reaches the target. Worked example: time-slots.test.ts.
 */
export function preheatTime({ timeConstantS, nowC, wantedC, boostedC }: Preheat): number {
  if (nowC >= wantedC) return 0
  if (boostedC <= wantedC) return Number.POSITIVE_INFINITY
  return timeConstantS * Math.log((boostedC - nowC) / (boostedC - wantedC))
}

/**
 * Temperature of a building after `durationS` without heat, °C: T_o + (T_0 − T_o)·e^(−t/τ). Used for frost
 * protection.
 */
export const cooledTo = (timeConstantS: number, nowC: number, outdoorC: number, durationS: number): number =>
  outdoorC + (nowC - outdoorC) * Math.exp(-durationS / timeConstantS)
