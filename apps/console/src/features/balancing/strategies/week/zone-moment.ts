import { type Language, toLocaleTag } from '../../../../shared/i18n/language.ts'

const MOMENT: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

/** An instant by weekday, date and minute on the clocks of an IANA zone: those of the company, by which slots are laid out. */
export const toZoneMoment = (instantMs: number, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(toLocaleTag(language), { ...MOMENT, timeZone }).format(instantMs)
