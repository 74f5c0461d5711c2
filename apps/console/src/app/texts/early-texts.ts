import type { Locale } from 'antd/es/locale'
import type { Texts } from '../../shared/i18n/i18n.ts'

/** Texts of one language needed before any page opens. */
export interface EarlyTexts {
  /** Texts of antd's components. */
  readonly antd: Locale
  readonly texts: Texts
}

const FEATURE = /\/features\/([^/]+)\//

/** The namespace of a feature's texts is the name of its folder. */
export const toNamespace = (path: string): string => FEATURE.exec(path)?.[1] ?? path

/** Results of a glob over features, by namespace. */
export const byNamespace = <Found>(found: Readonly<Record<string, Found>>): Readonly<Record<string, Found>> =>
  Object.fromEntries(Object.entries(found).map(([path, each]) => [toNamespace(path), each]))
