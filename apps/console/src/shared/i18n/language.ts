import type { Language } from '@isotherm/contract/locales/error-text'

export type { Language }

/** Key of the chosen language in local storage. */
export const LANGUAGE_KEY = 'isotherm.language'

const isLanguage = (value: string | null): value is Language => value === 'zh' || value === 'en'

/** The stored language, else the browser's first preference, else Chinese. */
export function pickLanguage(remembered: string | null, preferred: readonly string[]): Language {
  if (isLanguage(remembered)) return remembered
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0] ?? ''
    if (isLanguage(primary)) return primary
  }
  return 'zh'
}

/** BCP 47 tag for Intl and the document. */
export const toLocaleTag = (language: Language): string => (language === 'zh' ? 'zh-CN' : 'en-GB')
