import { useMemo } from 'react'
import { useLanguage } from '../../../../shared/i18n/i18n.ts'
import { type Language, toLocaleTag } from '../../../../shared/i18n/language.ts'
import { toZoneMoment } from './zone-moment.ts'

interface DayNames {
  readonly short: (day: number) => string
  readonly long: (day: number) => string
  /** An instant by weekday, date and minute in an IANA zone. */
  readonly moment: (instantMs: number, timeZone: string) => string
}

/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

const toNames = (language: Language): DayNames => {
  const name = (weekday: 'short' | 'long') => {
    const format = new Intl.DateTimeFormat(toLocaleTag(language), { weekday, timeZone: 'UTC' })
    return (day: number) => format.format(MONDAY_MS + day * DAY_MS)
  }
  return {
    short: name('short'),
    long: name('long'),
    moment: (instantMs, timeZone) => toZoneMoment(instantMs, language, timeZone),
  }
}

/** Names of the weekdays in the language in force, from 0 for Monday. */
export function useDayNames(): DayNames {
  const language = useLanguage()
  return useMemo(() => toNames(language), [language])
}
