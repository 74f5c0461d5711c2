import type { Language } from '@isotherm/contract/locales/error-text'

/** Language of the texts for an Accept-Language header: the first of zh and en in it, zh when neither is. */
export function pickLanguage(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '').toLowerCase().split(',')
  return wanted
    .find((part) => /^\s*(zh|en)\b/.test(part))
    ?.trim()
    .startsWith('en')
    ? 'en'
    : 'zh'
}
