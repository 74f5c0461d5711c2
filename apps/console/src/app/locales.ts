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

/** Features with an opened page, with the promise of their texts. */
const opened = new Map<string, Promise<void>>()
const antdTexts = new Map<Language, EarlyTexts['antd']>()

/** Texts of antd's components; undefined until the texts of the language are loaded. */
export const findAntdTexts = (language: Language) => antdTexts.get(language)

const loadPages = async (namespace: string, language: Language): Promise<readonly [string, object]> => [
  namespace,
  (await pages[language][namespace]?.()) ?? {},
]

/** The texts of one language that are needed so far, by namespace. */
export async function loadTexts(language: Language): Promise<Texts> {
  for (;;) {
    const openBefore = opened.size
    const ofPages = [...opened.keys()].map((namespace) => loadPages(namespace, language))
    const [early, ...pageTexts] = await Promise.all([loadEarly[language](), ...ofPages])
    antdTexts.set(language, early.antd)
    // If a page was opened in the meantime, more texts are needed.
    if (opened.size === openBefore) return { ...early.texts, ...Object.fromEntries(pageTexts) }
  }
}

/** Loads the texts of a feature. Repeats if the language changes while loading. */
async function loadFeatureTexts(namespace: string): Promise<void> {
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
  // Register the feature before loading, so that a language that is loading now includes all its texts.
  const loading = i18nStarted.then(() => loadFeatureTexts(namespace))
  opened.set(namespace, loading)
  loading.catch(() => opened.delete(namespace))
  return loading
}
