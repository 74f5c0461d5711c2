import type { Texts } from '../shared/i18n/i18n.ts'
import type { Language } from '../shared/i18n/language.ts'
import { importAgain } from '../shared/import-again.ts'

type Found = Record<string, () => Promise<Record<string, object>>>

const features: Record<Language, Found> = {
  zh: import.meta.glob<Record<string, object>>('../features/*/locales/zh.ts'),
  en: import.meta.glob<Record<string, object>>('../features/*/locales/en.ts'),
}
const shared: Record<Language, () => Promise<Record<string, object>>> = {
  zh: () => import('../shared/locales/zh.ts'),
  en: () => import('../shared/locales/en.ts'),
}

/** The namespace of a feature's texts is the name of its folder. */
const toNamespace = (path: string): string => path.split('/')[2] ?? path

/** The texts of one language, by namespace; the other language is not loaded until somebody chooses it. */
export async function loadTexts(language: Language): Promise<Texts> {
  const found: readonly (readonly [string, () => Promise<Record<string, object>>])[] = [
    ['common', shared[language]],
    ...Object.entries(features[language]).map(([path, load]) => [toNamespace(path), load] as const),
  ]
  const texts = found.map(async ([namespace, load]) => {
    const own = (await importAgain(load))[language]
    if (!own) throw new Error(`the texts of ${namespace} are not there in ${language}`)
    return [namespace, own] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}
