import { z } from 'zod'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Clocks of a place: local times are Unix ms as if the place were at UTC. */
export interface TimeZone {
  toLocal(ms: number): number
  /**
   * The instant at which clocks show a local time, the first of two where they go back; where they jump over it, as long
   * after the jump as it is after the time that they jump from.
   */
  toInstant(localMs: number): number
}

const offsetText = z.string().regex(/^GMT(?:[+-]\d{2}:\d{2})?$/)

/** Clocks of an IANA zone. Throws RangeError for an unknown one. */
export function createTimeZone(zone: string): TimeZone {
  const offsets = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })

  /** Local time less UTC. */
  function toOffsetMs(ms: number): number {
    const part = offsets.formatToParts(ms).find(({ type }) => type === 'timeZoneName')
    const text = offsetText.parse(part?.value).slice(3)
    if (text === '') return 0
    const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number)
    return (text.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * 60_000)
  }

  return {
    toLocal: (ms) => ms + toOffsetMs(ms),
    toInstant(localMs) {
      // No zone is as far as a day from UTC, nor changes its clocks twice within two.
      const before = localMs - toOffsetMs(localMs - DAY_MS)
      if (before + toOffsetMs(before) === localMs) return before
      const after = localMs - toOffsetMs(localMs + DAY_MS)
      return after + toOffsetMs(after) === localMs ? after : before
    },
  }
}
