import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../app-error.ts'

/** A field that an entity can be filtered by: the type of its values and its SQL expression. */
export interface FilterField {
  /** A `flag` is compared with true, false, 1 or 0; an `instant` is in Unix ms. */
  readonly kind: 'text' | 'number' | 'flag' | 'instant'
  readonly column: RawBuilder<unknown>
}

export type FilterFields = Readonly<Record<string, FilterField>>

export const textField = (column: RawBuilder<unknown>): FilterField => ({ kind: 'text', column })
export const numberField = (column: RawBuilder<unknown>): FilterField => ({ kind: 'number', column })
export const flagField = (column: RawBuilder<unknown>): FilterField => ({ kind: 'flag', column })
export const instantField = (column: RawBuilder<unknown>): FilterField => ({ kind: 'instant', column })

const comparisons = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
} as const

/** Maximum length of a pattern, characters. */
const MAX_PATTERN_LENGTH = 200
/** Maximum number of values of one `in`. */
const MAX_VALUES = 500
const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const malformed = (item: FilterItem, what: string): AppError =>
  new AppError('request.malformed', { detail: `filter ${item.field}: ${what}` })

function requireValue(item: FilterItem): string {
  if (item.vstd === undefined) throw malformed(item, 'no vstd')
  return String(item.vstd)
}

function requirePattern(item: FilterItem): string {
  const pattern = item.vrex ?? item.vstd
  if (pattern === undefined) throw malformed(item, 'no vrex')
  const text = String(pattern)
  if (text.length > MAX_PATTERN_LENGTH) throw malformed(item, `longer than ${MAX_PATTERN_LENGTH} characters`)
  return text
}

function toNumber(item: FilterItem, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw malformed(item, 'not a number')
  return number
}

function toFlag(item: FilterItem, text: string): boolean {
  const flag = FLAGS[text]
  if (flag === undefined) throw malformed(item, 'neither true nor false')
  return flag
}

/** The value as a statement parameter of the field's type. It is never part of the SQL text. */
function toParameter(kind: FilterField['kind'], item: FilterItem, text: string): RawBuilder<unknown> {
  if (kind === 'number') {
    const number = toNumber(item, text)
    // PostgreSQL uses an index on ids for bigint only.
    return Number.isSafeInteger(number) ? sql`${number}::bigint` : sql`${number}::double precision`
  }
  if (kind === 'flag') return sql`${toFlag(item, text)}::boolean`
  if (kind === 'instant') return sql`to_timestamp(${toNumber(item, text) / 1000}::double precision)`
  return sql`${text}::text`
}

function toCondition(fields: FilterFields, item: FilterItem): RawBuilder<SqlBool> {
  const field = Object.hasOwn(fields, item.field) ? fields[item.field] : undefined
  if (!field) throw new AppError('filter.unknown-field', { field: item.field })
  const { kind, column } = field
  switch (item.cond) {
    case 'in': {
      const values = requireValue(item).split(',')
      if (values.length > MAX_VALUES) throw malformed(item, `more than ${MAX_VALUES} values`)
      return sql`${column} in (${sql.join(values.map((value) => toParameter(kind, item, value)))})`
    }
    case 'like':
      if (kind !== 'text') throw malformed(item, 'like is for texts')
      return sql`${column} like ${`%${escapeLike(requireValue(item))}%`}`
    case 'regex':
      if (kind !== 'text') throw malformed(item, 'regex is for texts')
      return sql`${column} ~ ${requirePattern(item)}`
    default:
      return sql`${column} ${comparisons[item.cond]} ${toParameter(kind, item, requireValue(item))}`
  }
}

/** Joins the conditions of a filter with `and`. Throws filter.unknown-field. */
export const toConditions = (fields: FilterFields, filter: readonly FilterItem[]): RawBuilder<SqlBool> =>
  filter.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        filter.map((item) => toCondition(fields, item)),
        sql` and `,
      )})`

/** Rows to skip before a page. */
export const toOffset = ({ page, size }: Limiter): number => (page - 1) * size

/** Total number of rows on all pages. Calls `count` only if it does not follow from the rows of this page. */
export async function toTotal(limiter: Limiter, rows: number, count: () => Promise<number>): Promise<number> {
  const isLast = rows < limiter.size && (rows > 0 || limiter.page === 1)
  return isLast ? toOffset(limiter) + rows : count()
}
