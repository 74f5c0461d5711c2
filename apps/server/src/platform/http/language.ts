import type { Language } from '@isotherm/contract/locales/error-text'

/** Language of the texts for an Accept-Language header: the first of zh and en in it; default zh. */
export function pickLanguage(acceptLanguage: string | undefined): Language {
  const languages = (acceptLanguage ?? '').toLowerCase().split(',')
  const supported = languages.map((part) => part.trim()).find((part) => /^(zh|en)\b/.test(part))
  return supported?.startsWith('en') ? 'en' : 'zh'
}
