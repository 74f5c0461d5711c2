import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { computeSunTimes, type Position } from '../weather/sun.ts'
import type { DaysSpec, LocalClock, ProgramSpec, StartSpec } from './model.ts'

/** 1970-01-05, the first Monday. */
const FIRST_MONDAY = 4

/** Whether a program runs on a local day, in days since 1970-01-01. */
export function runsOn(days: DaysSpec, day: number): boolean {
  const dayOfMonth = new Date(day * DAY_MS).getUTCDate()
  switch (days.kind) {
    case 'weekdays':
      return days.days.includes((((day - FIRST_MONDAY) % 7) + 7) % 7)
    case 'every':
      return (((day - days.from) % days.n) + days.n) % days.n === 0
    case 'odd':
      return dayOfMonth % 2 === 1
    case 'even':
      return dayOfMonth % 2 === 0
  }
}

function toInstant(
  start: StartSpec,
  day: number,
  clock: LocalClock,
  position: Position | undefined,
): number | undefined {
  const midnight = day * DAY_MS
  if (start.kind === 'time') return clock.toInstant(midnight + start.minute * MINUTE_MS)
  if (!position) return undefined
  const noon = clock.toInstant(midnight + DAY_MS / 2)
  const sun = computeSunTimes(midnight, midnight + DAY_MS / 2 - noon, position)
  return sun && sun[start.kind] + start.offsetMin * MINUTE_MS
}

/** The instants in [from, until) at which a program starts, earliest first, each once. */
export function listStarts(
  { days, starts }: Pick<ProgramSpec, 'days' | 'starts'>,
  { clock, position }: { readonly clock: LocalClock; readonly position?: Position | undefined },
  from: number,
  until: number,
): readonly number[] {
  const found = new Set<number>()
  const first = Math.floor(clock.toLocal(from) / DAY_MS) - 1
  const last = Math.floor(clock.toLocal(until) / DAY_MS) + 1
  for (let day = first; day <= last; day++) {
    if (!runsOn(days, day)) continue
    for (const start of starts) {
      const at = toInstant(start, day, clock, position)
      if (at !== undefined && at >= from && at < until) found.add(at)
    }
  }
  return [...found].toSorted((one, other) => one - other)
}
