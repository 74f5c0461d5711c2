import type { ErrorCode, ErrorParams } from '../errors.ts'
import { errorTextsEn } from './errors.en.ts'
import { errorTextsZh } from './errors.zh.ts'

export type Language = 'zh' | 'en'

const texts = { zh: errorTextsZh, en: errorTextsEn } as const

/** The text of an error in a language, its places filled. A place without a value stays visible. */
export function toErrorText(language: Language, code: ErrorCode, params: ErrorParams = {}): string {
  return texts[language][code].replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place))
}
