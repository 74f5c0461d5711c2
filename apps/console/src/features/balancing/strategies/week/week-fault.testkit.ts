import { STEP_MINUTES } from '../../../../shared/week/clock-text.ts'
import { DAY_MINUTES, type Week, type WeekSlot, weekdays } from './week-slots.ts'

/** Faults of a week: overlapping slots, times off the quarter hours, or beyond the ends of a day. */
export type WeekFault = 'overlap' | 'off-step' | 'outside'

export function findWeekFault(slots: Week<unknown>): WeekFault | undefined {
  const isOutside = ({ day, fromMinute, toMinute }: WeekSlot<unknown>) =>
    !weekdays.some((each) => each === day) ||
    fromMinute < 0 ||
    toMinute > DAY_MINUTES ||
    fromMinute >= toMinute
  if (slots.some(isOutside)) return 'outside'
  if (slots.some(({ fromMinute, toMinute }) => fromMinute % STEP_MINUTES || toMinute % STEP_MINUTES))
    return 'off-step'
  const ordered = slots.toSorted((one, other) => one.day - other.day || one.fromMinute - other.fromMinute)
  const overlaps = ordered.some((slot, i) => {
    const next = ordered[i + 1]
    return next !== undefined && next.day === slot.day && next.fromMinute < slot.toMinute
  })
  return overlaps ? 'overlap' : undefined
}
