import type { Texts } from '../shared/i18n/i18n.ts'
import { en } from '../shared/locales/en.ts'
import { zh } from '../shared/locales/zh.ts'

const zhFound = import.meta.glob<object>('../features/*/locales/zh.ts', { eager: true, import: 'zh' })
const enFound = import.meta.glob<object>('../features/*/locales/en.ts', { eager: true, import: 'en' })

/** The namespace of a feature's texts is the name of its folder. */
const byFeature = (found: Record<string, object>): Record<string, object> =>
  Object.fromEntries(Object.entries(found).map(([path, texts]) => [path.split('/')[2] ?? path, texts]))

export const texts: Texts = {
  zh: { common: zh, ...byFeature(zhFound) },
  en: { common: en, ...byFeature(enFound) },
}
