import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'

/** Local time of a place. A local time is the Unix ms of a UTC clock that shows the same digits. */
export interface TimeZone {
  toLocal(ms: number): number
  /**
   * The instant of a local time, Unix ms. A local time that occurs twice (clocks go back) gives the first instant.
   * A local time that is skipped (clocks go forward) is counted on from the time before the jump.
   */
  toInstant(localMs: number): number
}

/** Days whose offsets a zone remembers: a year and more. They are forgotten together. */
const MAX_DAYS = 1_000

const offsetText = z.string().regex(/^GMT(?:[+-]\d{2}:\d{2})?$/)

/** Local time of an IANA zone. Throws RangeError for an unknown zone. */
export function createTimeZone(zone: string): TimeZone {
  const offsets = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })

  /** Local time minus UTC at the start of a day of UTC. */
  const known = new Map<number, number>()

  /** Local time minus UTC. It takes some µs: Intl writes a whole date for it. */
  function readOffsetMs(ms: number): number {
    const part = offsets.formatToParts(ms).find(({ type }) => type === 'timeZoneName')
    const text = offsetText.parse(part?.value).slice(3)
    if (text === '') return 0
    const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number)
    return (text.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS)
  }

  function toOffsetAtDay(day: number): number {
    const found = known.get(day) ?? readOffsetMs(day * DAY_MS)
    if (known.size >= MAX_DAYS) known.clear()
    known.set(day, found)
    return found
  }

  /** Local time minus UTC. A calendar of a year has a hundred thousand instants on some hundred days. */
  function toOffsetMs(ms: number): number {
    const day = Math.floor(ms / DAY_MS)
    const atStart = toOffsetAtDay(day)
    return atStart === toOffsetAtDay(day + 1) ? atStart : readOffsetMs(ms)
  }

  return {
    toLocal: (ms) => ms + toOffsetMs(ms),
    toInstant(localMs) {
      // No zone is a whole day away from UTC, and none changes its clocks twice within two days.
      const before = localMs - toOffsetMs(localMs - DAY_MS)
      if (before + toOffsetMs(before) === localMs) return before
      const after = localMs - toOffsetMs(localMs + DAY_MS)
      return after + toOffsetMs(after) === localMs ? after : before
    },
  }
}
