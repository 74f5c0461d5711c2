import type { Texts } from '../shared/i18n/i18n.ts'
import type { Language } from '../shared/i18n/language.ts'

type Found = Record<string, () => Promise<object>>

const features: Record<Language, Found> = {
  zh: import.meta.glob<object>('../features/*/locales/zh.ts', { import: 'zh' }),
  en: import.meta.glob<object>('../features/*/locales/en.ts', { import: 'en' }),
}
const shared: Record<Language, () => Promise<object>> = {
  zh: async () => (await import('../shared/locales/zh.ts')).zh,
  en: async () => (await import('../shared/locales/en.ts')).en,
}

/** The namespace of a feature's texts is the name of its folder. */
const toNamespace = (path: string): string => path.split('/')[2] ?? path

/** The texts of one language, by namespace; the other language is not loaded until somebody chooses it. */
export async function loadTexts(language: Language): Promise<Texts> {
  const found = Object.entries(features[language])
  const own = found.map(async ([path, load]) => [toNamespace(path), await load()] as const)
  return { common: await shared[language](), ...Object.fromEntries(await Promise.all(own)) }
}
