import { currentLanguage, i18n, i18nStarted, type Texts } from '../shared/i18n/i18n.ts'
import type { Language } from '../shared/i18n/language.ts'
import { byNamespace, type EarlyTexts } from './texts/early-texts.ts'

type LoadPages = Readonly<Record<string, () => Promise<object>>>

/** Texts needed before any page opens: one file per language. */
const loadEarly: Record<Language, () => Promise<EarlyTexts>> = {
  zh: async () => (await import('./texts/zh.ts')).early,
  en: async () => (await import('./texts/en.ts')).early,
}
/** All texts of a feature, for features that load them with their first page. */
const pages: Record<Language, LoadPages> = {
  zh: byNamespace(import.meta.glob<object>('../features/*/locales/pages.zh.ts', { import: 'zh' })),
  en: byNamespace(import.meta.glob<object>('../features/*/locales/pages.en.ts', { import: 'en' })),
}

/** Loading texts by feature, for each feature with an opened page. */
const opened = new Map<string, Promise<void>>()
const antdTexts = new Map<Language, EarlyTexts['antd']>()

/** Texts of antd's components; undefined until the texts of the language are loaded. */
export const findAntdTexts = (language: Language) => antdTexts.get(language)

const loadPages = async (namespace: string, language: Language): Promise<readonly [string, object]> => [
  namespace,
  (await pages[language][namespace]?.()) ?? {},
]

/** The texts of one language needed so far, by namespace. The other language loads when a user chooses it. */
export async function loadTexts(language: Language): Promise<Texts> {
  for (;;) {
    const openBefore = opened.size
    const ofPages = [...opened.keys()].map((namespace) => loadPages(namespace, language))
    const [early, ...whole] = await Promise.all([loadEarly[language](), ...ofPages])
    antdTexts.set(language, early.antd)
    // A page opened in the meantime needs more texts.
    if (opened.size === openBefore) return { ...early.texts, ...Object.fromEntries(whole) }
  }
}

/** Loads the texts of a feature. Repeats if the language changes while loading. */
async function bring(namespace: string): Promise<void> {
  for (;;) {
    const language = currentLanguage()
    const [, texts] = await loadPages(namespace, language)
    i18n.addResourceBundle(language, namespace, texts, true, true)
    if (currentLanguage() === language) return
  }
}

/** Loads the texts of a feature's pages, once. Loads them again after a failure. */
export function openTexts(namespace: string): Promise<void> {
  const known = opened.get(namespace)
  if (known || !(namespace in pages.zh)) return known ?? Promise.resolve()
  // Register the feature first, so that a language loaded at the same time includes all its texts.
  const coming = i18nStarted.then(() => bring(namespace))
  opened.set(namespace, coming)
  coming.catch(() => opened.delete(namespace))
  return coming
}
