import { configFieldsEn } from './config-fields.en.ts'
import { configFieldsZh } from './config-fields.zh.ts'
import { errorNamesEn } from './error-names.en.ts'
import { errorNamesZh } from './error-names.zh.ts'
import type { Language } from './error-param.ts'

const names = { zh: errorNamesZh, en: errorNamesEn } as const
const configFields = { zh: configFieldsZh, en: configFieldsEn } as const

const find = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

/** Column of a table in camel case: `min_opening_pct` is `minOpeningPct`. */
const toCamel = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Name of an entity of the operation log; the key itself if it has no name. */
export const toEntityText = (language: Language, entity: string): string =>
  find(names[language].entities, entity) ?? entity

/** Name of a changed field of the operation log, given in snake case or camel case; the key itself if it has no name. */
export const toFieldText = (language: Language, field: string): string =>
  find(names[language].fields, toCamel(field)) ?? field

/** The fields in what the server writes about a change: `dtu; L5: password, M-1 (address); +L6; +profile own`. */
const FIELD = /(?<=^|[;,:] |\()[A-Za-z]+(?=$|[;,)])|(?<=(?:^|; )[+−]?)profile(?= )/g

/** A unit at the end of a name. */
const UNIT = /(?:，|, )[^，,]*$/

/** A change of a gateway's configuration, with the names of fields in a language; lines and devices as they are called. */
export const toConfigChangeText = (language: Language, change: string): string =>
  change.replace(FIELD, (field) => find(configFields[language], field)?.replace(UNIT, '') ?? field)
