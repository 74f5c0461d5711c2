import { z } from 'zod'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** The days of a plant: where they begin, in Unix ms. */
export interface LocalDays {
  /** IANA name. */
  readonly zone: string
  /** Midnight at or before an instant. */
  startOfDay(ms: number): number
  /** Midnight of the day after the one an instant lies in. */
  startOfNextDay(ms: number): number
  /** Calendar date of an instant: 2026-11-21. */
  toDate(ms: number): string
}

const offsetText = z.string().regex(/^GMT(?:[+-]\d{2}:\d{2})?$/)

/** Local days of an IANA zone. Throws RangeError for an unknown one. */
export function createLocalDays(zone: string): LocalDays {
  const offsets = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })

  /** Local time less UTC. */
  function toOffsetMs(ms: number): number {
    const part = offsets.formatToParts(ms).find(({ type }) => type === 'timeZoneName')
    const text = offsetText.parse(part?.value).slice(3)
    if (text === '') return 0
    const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number)
    return (text.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * 60_000)
  }

  /** The instant at which clocks show a local time; where they jump over it, what they show instead. */
  function toInstant(localMs: number): number {
    const about = localMs - toOffsetMs(localMs)
    return localMs - toOffsetMs(about)
  }

  const toLocalDay = (ms: number): number => Math.floor((ms + toOffsetMs(ms)) / DAY_MS)
  return {
    zone,
    startOfDay: (ms) => toInstant(toLocalDay(ms) * DAY_MS),
    startOfNextDay: (ms) => toInstant((toLocalDay(ms) + 1) * DAY_MS),
    toDate: (ms) => new Date(toLocalDay(ms) * DAY_MS).toISOString().slice(0, 10),
  }
}
