import type { ErrorCode, ErrorParams } from '../errors.ts'
import { type Language, toParamText } from './error-param.ts'
import { errorTextsEn } from './errors.en.ts'
import { errorTextsZh } from './errors.zh.ts'

export type { Language }

const texts = { zh: errorTextsZh, en: errorTextsEn } as const

/** `{name}`, or `{name|singular|plural}`, which writes one of two words by the number `name`. */
const PLACEHOLDER = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g

/**
 * The text of an error in a language. Keys among its parameters (entities, fields, device kinds, states) are replaced by
 * their names in that language. A placeholder without a value stays visible.
 */
export function toErrorText(language: Language, code: ErrorCode, params: ErrorParams = {}): string {
  return texts[language][code].replace(
    PLACEHOLDER,
    (place, name: string, singular: string | undefined, plural: string | undefined) => {
      if (singular !== undefined && plural !== undefined) return params[name] === 1 ? singular : plural
      return toParamText(language, code, name, params) ?? place
    },
  )
}
