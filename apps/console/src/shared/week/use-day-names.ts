import { DAY_MS } from '@isotherm/kernel/durations'
import { useMemo } from 'react'
import { useLanguage } from '../i18n/i18n.ts'
import { type Language, toLocaleTag } from '../i18n/language.ts'

interface DayNames {
  readonly short: (day: number) => string
  readonly long: (day: number) => string
}

/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1)

const toNames = (language: Language): DayNames => {
  const name = (weekday: 'short' | 'long') => {
    const format = new Intl.DateTimeFormat(toLocaleTag(language), { weekday, timeZone: 'UTC' })
    return (day: number) => format.format(MONDAY_MS + day * DAY_MS)
  }
  return { short: name('short'), long: name('long') }
}

/** Names of the weekdays in the current language; 0 is Monday. */
export function useDayNames(): DayNames {
  const language = useLanguage()
  return useMemo(() => toNames(language), [language])
}
