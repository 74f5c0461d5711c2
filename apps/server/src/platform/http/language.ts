import type { Language } from '@isotherm/contract/locales/error-text'

/** Language of the texts for an Accept-Language header: the first of zh and en in it; default zh. */
export function pickLanguage(acceptLanguage: string | undefined): Language {
  const languages = (acceptLanguage ?? '').toLowerCase().split(',')
  return languages
    .find((part) => /^\s*(zh|en)\b/.test(part))
    ?.trim()
    .startsWith('en')
    ? 'en'
    : 'zh'
}
