import type { ReportTimes } from '@isotherm/contract/alarms/notice-channels'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { createTimeZone } from '../../../../platform/time-zone.ts'
import { toWeekday } from './duty.ts'

/** The last instant at which a report was due, Unix ms: at or before `now`. */
export function findLastSlot({ every, weekday, hour }: ReportTimes, zone: string, now: number): number {
  const { toLocal, toInstant } = createTimeZone(zone)
  const today = Math.floor(toLocal(now) / DAY_MS)
  for (let day = today; ; day -= 1) {
    const slot = toInstant(day * DAY_MS + hour * HOUR_MS)
    if (slot <= now && (every === 'day' || toWeekday(day) === weekday)) return slot
  }
}
