import { currentLanguage, i18n, i18nStarted, type Texts } from '../shared/i18n/i18n.ts'
import type { Language } from '../shared/i18n/language.ts'
import { byNamespace, type EarlyTexts } from './texts/early-texts.ts'

type LoadPages = Readonly<Record<string, () => Promise<object>>>

/** What is needed before any page is opened: one file per language. */
const loadEarly: Record<Language, () => Promise<EarlyTexts>> = {
  zh: async () => (await import('./texts/zh.ts')).early,
  en: async () => (await import('./texts/en.ts')).early,
}
/** All texts of a feature, where they come with its first page. */
const pages: Record<Language, LoadPages> = {
  zh: byNamespace(import.meta.glob<object>('../features/*/locales/pages.zh.ts', { import: 'zh' })),
  en: byNamespace(import.meta.glob<object>('../features/*/locales/pages.en.ts', { import: 'en' })),
}

/** Features of which a page was opened, or is being opened. */
const opened = new Map<string, Promise<void>>()
const antdTexts = new Map<Language, EarlyTexts['antd']>()

/** The words of antd's own parts, once the texts of the language are loaded. */
export const findAntdTexts = (language: Language) => antdTexts.get(language)

const loadPages = async (namespace: string, language: Language): Promise<readonly [string, object]> => [
  namespace,
  (await pages[language][namespace]?.()) ?? {},
]

/**
 * The texts of one language, by namespace, as far as they are needed by now; the other language is not loaded until
 * somebody chooses it.
 */
export async function loadTexts(language: Language): Promise<Texts> {
  for (;;) {
    const openBefore = opened.size
    const ofPages = [...opened.keys()].map((namespace) => loadPages(namespace, language))
    const [early, ...whole] = await Promise.all([loadEarly[language](), ...ofPages])
    antdTexts.set(language, early.antd)
    // A page that was opened meanwhile needs more.
    if (opened.size === openBefore) return { ...early.texts, ...Object.fromEntries(whole) }
  }
}

/** Loads a feature's texts until they are those of the language in force: it may be changed meanwhile. */
async function bring(namespace: string): Promise<void> {
  for (;;) {
    const language = currentLanguage()
    const [, texts] = await loadPages(namespace, language)
    i18n.addResourceBundle(language, namespace, texts, true, true)
    if (currentLanguage() === language) return
  }
}

/** Brings the texts that a feature's pages need; once, and anew after it failed. */
export function openTexts(namespace: string): Promise<void> {
  const known = opened.get(namespace)
  if (known || !(namespace in pages.zh)) return known ?? Promise.resolve()
  // It is noted as opened before it is looked up, so that the whole of it is what is loaded.
  const coming = i18nStarted.then(() => bring(namespace))
  opened.set(namespace, coming)
  coming.catch(() => opened.delete(namespace))
  return coming
}
