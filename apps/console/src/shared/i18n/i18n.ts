import { createInstance } from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { showNotice } from '../notices/notices.ts'
import { LANGUAGE_KEY, type Language, pickLanguage, toLocaleTag } from './language.ts'

/** The console's only i18next instance. `startI18n` loads its texts. */
export const i18n = createInstance()

/** Texts of one language by namespace. */
export type Texts = Readonly<Record<string, object>>
type LoadTexts = (language: Language) => Promise<Texts>

let loadTexts: LoadTexts | undefined

/** Resolves as soon as texts are loaded. The router may open the first page earlier. */
export const i18nStarted = new Promise<void>((resolve) => i18n.on('initialized', () => resolve()))

/** Loads the texts of the stored language or of the browser's language. The other language is loaded when chosen. */
export async function startI18n(load: LoadTexts): Promise<void> {
  loadTexts = load
  const lng = pickLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages)
  const texts = await load(lng)
  await i18n.use(initReactI18next).init({
    lng,
    fallbackLng: false,
    defaultNS: 'common',
    ns: Object.keys(texts),
    resources: { [lng]: { ...texts } },
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = toLocaleTag(currentLanguage())
}

/** The current language, for code outside components. */
export const currentLanguage = (): Language => (i18n.language === 'en' ? 'en' : 'zh')

/** The current language. The component renders again when it changes. */
export function useLanguage(): Language {
  const { i18n: live } = useTranslation()
  return live.language === 'en' ? 'en' : 'zh'
}

/** Switches the language and stores the choice. If its texts cannot be loaded, shows a notice and changes nothing. */
export async function changeLanguage(language: Language): Promise<void> {
  let loaded: Texts
  try {
    loaded = (await loadTexts?.(language)) ?? {}
  } catch (error) {
    console.error(`the texts of ${language} could not be loaded`, error)
    showNotice('error', i18n.t('failure.language'))
    return
  }
  for (const [namespace, texts] of Object.entries(loaded)) {
    i18n.addResourceBundle(language, namespace, texts, true, true)
  }
  localStorage.setItem(LANGUAGE_KEY, language)
  await i18n.changeLanguage(language)
  document.documentElement.lang = toLocaleTag(language)
}
