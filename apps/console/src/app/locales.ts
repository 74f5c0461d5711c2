import { currentLanguage, i18n, i18nStarted, type Texts } from '../shared/i18n/i18n.ts'
import type { Language } from '../shared/i18n/language.ts'

type Found = Record<string, () => Promise<object>>

/** All texts of a feature. */
const whole: Record<Language, Found> = {
  zh: import.meta.glob<object>('../features/*/locales/zh.ts', { import: 'zh' }),
  en: import.meta.glob<object>('../features/*/locales/en.ts', { import: 'en' }),
}
/** Of a feature whose other texts come with its first page: those that menus lead there by. */
const menus: Record<Language, Found> = {
  zh: import.meta.glob<object>('../features/*/locales/menu.zh.ts', { import: 'zh' }),
  en: import.meta.glob<object>('../features/*/locales/menu.en.ts', { import: 'en' }),
}
const shared: Record<Language, () => Promise<object>> = {
  zh: async () => (await import('../shared/locales/zh.ts')).zh,
  en: async () => (await import('../shared/locales/en.ts')).en,
}

/** The namespace of a feature's texts is the name of its folder. */
export const toNamespace = (path: string): string => path.split('/')[2] ?? path
const namespaces = Object.keys(whole.zh).map(toNamespace)
const toPath = (namespace: string, file: string): string => `../features/${namespace}/locales/${file}.ts`

/** Features of which a page was opened, or is being opened. */
const opened = new Map<string, Promise<void>>()

async function loadFeature(namespace: string, language: Language): Promise<readonly [string, object]> {
  const menu = opened.has(namespace) ? undefined : menus[language][toPath(namespace, `menu.${language}`)]
  const load = menu ?? whole[language][toPath(namespace, language)]
  return [namespace, (await load?.()) ?? {}]
}

/**
 * The texts of one language, by namespace, as far as they are needed by now; the other language is not loaded until
 * somebody chooses it.
 */
export async function loadTexts(language: Language): Promise<Texts> {
  for (;;) {
    const openBefore = opened.size
    const own = namespaces.map((namespace) => loadFeature(namespace, language))
    const texts = { common: await shared[language](), ...Object.fromEntries(await Promise.all(own)) }
    // A page that was opened meanwhile needs more.
    if (opened.size === openBefore) return texts
  }
}

/** Loads a feature's texts until they are those of the language in force: it may be changed meanwhile. */
async function bring(namespace: string): Promise<void> {
  for (;;) {
    const language = currentLanguage()
    const [, texts] = await loadFeature(namespace, language)
    i18n.addResourceBundle(language, namespace, texts, true, true)
    if (currentLanguage() === language) return
  }
}

/** Brings the texts that a feature's pages need; once, and anew after it failed. */
export function openTexts(namespace: string): Promise<void> {
  const known = opened.get(namespace)
  if (known || !(toPath(namespace, 'menu.zh') in menus.zh)) return known ?? Promise.resolve()
  // It is noted as opened before it is looked up, so that the whole of it is what is loaded.
  const coming = i18nStarted.then(() => bring(namespace))
  opened.set(namespace, coming)
  coming.catch(() => opened.delete(namespace))
  return coming
}
