import { createInstance } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { LANGUAGE_KEY, type Language, pickLanguage, toLocaleTag } from './language.ts'

/** The console's one i18next instance; `startI18n` gives it its texts. */
export const i18n = createInstance()

/** Texts by language and namespace. */
export type Texts = Record<Language, Record<string, object>>

export async function startI18n(texts: Texts): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: pickLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages),
    fallbackLng: 'zh',
    defaultNS: 'common',
    ns: Object.keys(texts.zh),
    resources: texts,
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = toLocaleTag(currentLanguage())
}

/** The language in force now, for code outside components. */
export const currentLanguage = (): Language => (i18n.language === 'en' ? 'en' : 'zh')

/** The language in force; the component renders again when it changes. */
export function useLanguage(): Language {
  const { i18n: live } = useTranslation()
  return live.language === 'en' ? 'en' : 'zh'
}

/** Switches the language and remembers it. */
export async function changeLanguage(language: Language): Promise<void> {
  localStorage.setItem(LANGUAGE_KEY, language)
  await i18n.changeLanguage(language)
  document.documentElement.lang = toLocaleTag(language)
}
