import { type Language, toLocaleTag } from '../i18n/language.ts'
import { ABSENT } from './numbers.ts'

type Style = 'instant' | 'time' | 'day' | 'moment'

const styles: Readonly<Record<Style, Intl.DateTimeFormatOptions>> = {
  instant: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  day: { year: 'numeric', month: '2-digit', day: '2-digit' },
  moment: {
    weekday: 'short',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(instantMs: number | undefined, style: Style, language: Language, timeZone?: string): string {
  if (instantMs === undefined || !Number.isFinite(instantMs)) return ABSENT
  const key = `${language} ${style} ${timeZone ?? ''}`
  let made = formats.get(key)
  if (!made) {
    const zone = timeZone === undefined ? {} : { timeZone }
    made = new Intl.DateTimeFormat(toLocaleTag(language), { ...styles[style], ...zone })
    formats.set(key, made)
  }
  return made.format(instantMs)
}

/** Date and time to the second of a Unix ms instant, in the viewer's zone unless one is given. */
export const formatInstant = (instantMs: number | undefined, language: Language, timeZone?: string): string =>
  format(instantMs, 'instant', language, timeZone)

/** Time of day to the second. */
export const formatTime = (instantMs: number | undefined, language: Language, timeZone?: string): string =>
  format(instantMs, 'time', language, timeZone)

/** Calendar day in an IANA time zone. */
export const formatDay = (instantMs: number | undefined, language: Language, timeZone: string): string =>
  format(instantMs, 'day', language, timeZone)

/** Weekday, date, hour and minute in an IANA time zone. */
export const formatMoment = (instantMs: number | undefined, language: Language, timeZone: string): string =>
  format(instantMs, 'moment', language, timeZone)

/** An age in the largest suitable unit, for texts such as "3 min ago". An instant in the future counts as now. */
export type Age =
  | { readonly unit: 'now' }
  | { readonly unit: 'seconds' | 'minutes' | 'hours' | 'days'; readonly value: number }

export function toAge(instantMs: number, nowMs: number): Age {
  const seconds = Math.floor((nowMs - instantMs) / 1000)
  if (seconds < 5) return { unit: 'now' }
  if (seconds < 60) return { unit: 'seconds', value: seconds }
  if (seconds < 3600) return { unit: 'minutes', value: Math.floor(seconds / 60) }
  if (seconds < 48 * 3600) return { unit: 'hours', value: Math.floor(seconds / 3600) }
  return { unit: 'days', value: Math.floor(seconds / 86_400) }
}
