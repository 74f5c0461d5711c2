import type { Locale } from 'antd/es/locale'
import type { Texts } from '../../shared/i18n/i18n.ts'

/** What one language needs before any page is opened. */
export interface EarlyTexts {
  /** The words of antd's own parts. */
  readonly antd: Locale
  readonly texts: Texts
}

const FEATURE = /\/features\/([^/]+)\//

/** The namespace of a feature's texts is the name of its folder. */
export const toNamespace = (path: string): string => FEATURE.exec(path)?.[1] ?? path

/** What a glob found in features, by their namespaces. */
export const byNamespace = <Found>(found: Readonly<Record<string, Found>>): Readonly<Record<string, Found>> =>
  Object.fromEntries(Object.entries(found).map(([path, each]) => [toNamespace(path), each]))
