import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'

export const DAY_MINUTES = 24 * 60
/** Monday is 0. */
export const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

/** A part of one weekday, [from, to) in minutes of local time. A slot past midnight is stored as two. */
export interface WeekSlot<Level> {
  readonly day: number
  readonly fromMinute: number
  readonly toMinute: number
  readonly level: Level
}

/** Sorted, non-overlapping slots. Every edit preserves this invariant. */
export type Week<Level> = readonly WeekSlot<Level>[]

/** Result of an edit: the week and the affected slot. */
export interface WeekChange<Level> {
  readonly week: Week<Level>
  readonly slot: WeekSlot<Level>
}

/** A span of a day. */
export interface DaySpan {
  readonly fromMinute: number
  readonly toMinute: number
}

const inOrder = <Level>(slots: Week<Level>): Week<Level> =>
  slots.toSorted((one, other) => one.day - other.day || one.fromMinute - other.fromMinute)

const without = <Level>(week: Week<Level>, slot: WeekSlot<Level>): Week<Level> =>
  week.filter((each) => each !== slot)

const withSlot = <Level>(week: Week<Level>, slot: WeekSlot<Level>): WeekChange<Level> => ({
  week: inOrder([...week, slot]),
  slot,
})

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Rounds to the nearest allowed start or end, in minutes. */
const toStep = (minute: number): number =>
  clamp(Math.round(minute / STEP_MINUTES) * STEP_MINUTES, 0, DAY_MINUTES)

/** The slots of a day, sorted. */
export const listDay = <Level>(week: Week<Level>, day: number): Week<Level> =>
  week.filter((slot) => slot.day === day)

/** The slot of a day that starts at a minute. */
export const findSlot = <Level>(
  week: Week<Level>,
  key: Pick<WeekSlot<Level>, 'day' | 'fromMinute'> | undefined,
): WeekSlot<Level> | undefined =>
  key && week.find(({ day, fromMinute }) => day === key.day && fromMinute === key.fromMinute)

/** The free spans of a day, sorted. */
function listFree<Level>(week: Week<Level>, day: number): readonly DaySpan[] {
  const slots = listDay(week, day)
  const starts = [0, ...slots.map(({ toMinute }) => toMinute)]
  const ends = [...slots.map(({ fromMinute }) => fromMinute), DAY_MINUTES]
  return starts
    .map((fromMinute, i) => ({ fromMinute, toMinute: ends[i] ?? DAY_MINUTES }))
    .filter(({ fromMinute, toMinute }) => toMinute > fromMinute)
}

/**
 * A new slot from the start of a drag to its present position, limited by neighbours; undefined on an existing slot.
 */
export function drawSlot<Level>(
  week: Week<Level>,
  drawn: { readonly day: number; readonly startMinute: number; readonly nowMinute: number },
  level: Level,
): WeekChange<Level> | undefined {
  const { day, startMinute, nowMinute } = drawn
  const free = listFree(week, day).find(
    ({ fromMinute, toMinute }) => fromMinute <= startMinute && startMinute < toMinute,
  )
  if (free === undefined) return undefined
  const fromMinute = toStep(clamp(Math.min(startMinute, nowMinute), free.fromMinute, free.toMinute))
  const toMinute = toStep(clamp(Math.max(startMinute, nowMinute), free.fromMinute, free.toMinute))
  return fromMinute < toMinute ? withSlot(week, { day, fromMinute, toMinute, level }) : undefined
}

/** Moves one end of a slot, limited by its neighbour and by a minimum length of one step. */
export function resizeSlot<Level>(
  week: Week<Level>,
  slot: WeekSlot<Level>,
  edge: 'from' | 'to',
  minute: number,
): WeekChange<Level> {
  const rest = without(week, slot)
  const room = findRoom(rest, slot)
  const wanted = toStep(minute)
  return withSlot(
    rest,
    edge === 'from'
      ? { ...slot, fromMinute: clamp(wanted, room.fromMinute, slot.toMinute - STEP_MINUTES) }
      : { ...slot, toMinute: clamp(wanted, slot.fromMinute + STEP_MINUTES, room.toMinute) },
  )
}

/** The free span around a slot. */
export const findRoom = <Level>(rest: Week<Level>, slot: WeekSlot<Level>): DaySpan =>
  listFree(rest, slot.day).find(
    ({ fromMinute, toMinute }) => fromMinute <= slot.fromMinute && slot.toMinute <= toMinute,
  ) ?? slot

/** Moves a slot to the nearest free place on a day; unchanged if it does not fit. */
export function moveSlot<Level>(
  week: Week<Level>,
  slot: WeekSlot<Level>,
  day: number,
  wantedMinute: number,
): WeekChange<Level> {
  const rest = without(week, slot)
  const length = slot.toMinute - slot.fromMinute
  const wanted = toStep(wantedMinute)
  const places = listFree(rest, day)
    .filter(({ fromMinute, toMinute }) => toMinute - fromMinute >= length)
    .map(({ fromMinute, toMinute }) => clamp(wanted, fromMinute, toMinute - length))
    .sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))
  const fromMinute = places[0]
  return fromMinute === undefined
    ? { week, slot }
    : withSlot(rest, { ...slot, day, fromMinute, toMinute: fromMinute + length })
}

/** Splits a slot in the middle; undefined if too short. The affected slot is the second half. */
export function splitSlot<Level>(week: Week<Level>, slot: WeekSlot<Level>): WeekChange<Level> | undefined {
  const middle = toStep((slot.fromMinute + slot.toMinute) / 2)
  if (middle <= slot.fromMinute || middle >= slot.toMinute) return undefined
  const first = withSlot(without(week, slot), { ...slot, toMinute: middle })
  return withSlot(first.week, { ...slot, fromMinute: middle })
}

/** Gives a slot another level. */
export const setLevel = <Level>(week: Week<Level>, slot: WeekSlot<Level>, level: Level): WeekChange<Level> =>
  withSlot(without(week, slot), { ...slot, level })

export const removeSlot = <Level>(week: Week<Level>, slot: WeekSlot<Level>): Week<Level> =>
  without(week, slot)

/** Copies one day to other days. */
export function copyDay<Level>(week: Week<Level>, from: number, to: readonly number[]): Week<Level> {
  const others = to.filter((day) => day !== from)
  const otherDays = week.filter(({ day }) => !others.includes(day))
  const copies = others.flatMap((day) => listDay(week, from).map((slot) => ({ ...slot, day })))
  return inOrder([...otherDays, ...copies])
}

/**
 * Adds a slot to several days and replaces overlapping parts. An end before the start means past midnight; equal times
 * mean the whole day.
 */
export function putSlots<Level>(
  week: Week<Level>,
  days: readonly number[],
  { fromMinute, toMinute }: DaySpan,
  level: Level,
): Week<Level> {
  const parts = days.flatMap((day) =>
    fromMinute < toMinute
      ? [{ day, fromMinute, toMinute, level }]
      : [
          { day, fromMinute, toMinute: DAY_MINUTES, level },
          { day: (day + 1) % weekdays.length, fromMinute: 0, toMinute, level },
        ],
  )
  return parts
    .filter((part) => part.fromMinute < part.toMinute)
    .reduce<Week<Level>>(
      (into, part) => inOrder([...into.flatMap((slot) => removePart(slot, part)), part]),
      week,
    )
}

/** Rest of a slot outside a part of the week. */
function removePart<Level>(slot: WeekSlot<Level>, part: WeekSlot<Level>): Week<Level> {
  if (slot.day !== part.day || slot.toMinute <= part.fromMinute || part.toMinute <= slot.fromMinute)
    return [slot]
  return [
    { ...slot, toMinute: part.fromMinute },
    { ...slot, fromMinute: part.toMinute },
  ].filter(({ fromMinute, toMinute }) => fromMinute < toMinute)
}

/** A day from midnight to midnight: slots and the spans between them. */
export function toDayPlan<Level>(
  week: Week<Level>,
  day: number,
  between: Level,
): readonly (DaySpan & { readonly level: Level; readonly slot?: WeekSlot<Level> })[] {
  const slots = listDay(week, day).map((slot) => ({ ...slot, slot }))
  const free = listFree(week, day).map((span) => ({ ...span, level: between }))
  return [...slots, ...free].sort((one, other) => one.fromMinute - other.fromMinute)
}
