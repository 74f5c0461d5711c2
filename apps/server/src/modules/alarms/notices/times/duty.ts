import type { DutyTimes } from '@isotherm/contract/alarms/notice-channels'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { createTimeZone } from '../../../../platform/time-zone.ts'

/** Weekday of a local day, 1 is Monday. 1970-01-01 was a Thursday. */
export const toWeekday = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** Whether an instant is within duty times. A night belongs to the day on which it begins. */
export function isOnDuty({ hourFrom, hourTo, weekdays }: DutyTimes, zone: string, at: number): boolean {
  const local = createTimeZone(zone).toLocal(at)
  const day = Math.floor(local / DAY_MS)
  const hour = Math.floor((local - day * DAY_MS) / HOUR_MS)
  const isOn = (date: number): boolean => weekdays.includes(toWeekday(date))
  if (hourFrom === hourTo) return isOn(day)
  if (hourFrom < hourTo) return hour >= hourFrom && hour < hourTo && isOn(day)
  return hour >= hourFrom ? isOn(day) : hour < hourTo && isOn(day - 1)
}
