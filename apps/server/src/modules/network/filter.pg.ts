import type { FilterItem } from '@isotherm/contract/filter'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../platform/app-error.ts'
import type { Database } from '../../platform/database.pg.ts'

/** Fields an entity may be filtered by, each with the text expression behind it. */
export type FilterFields = Readonly<Record<string, RawBuilder<string>>>

const comparisons = {
  eq: sql`=`,
  ne: sql`<>`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
} as const

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function requireValue(item: FilterItem): string {
  if (item.vstd === undefined)
    throw new AppError('request.malformed', { detail: `filter ${item.field}: no vstd` })
  return String(item.vstd)
}

function requirePattern(item: FilterItem): string {
  const pattern = item.vrex ?? item.vstd
  if (pattern === undefined)
    throw new AppError('request.malformed', { detail: `filter ${item.field}: no vrex` })
  return String(pattern)
}

function toCondition(fields: FilterFields, item: FilterItem): RawBuilder<SqlBool> {
  const column = Object.hasOwn(fields, item.field) ? fields[item.field] : undefined
  if (!column) throw new AppError('filter.unknown-field', { field: item.field })
  switch (item.cond) {
    case 'in':
      return sql`${column} = any(${requireValue(item).split(',')}::text[])`
    case 'like':
      return sql`${column} like ${`%${escapeLike(requireValue(item))}%`}`
    case 'regex':
      return sql`${column} ~ ${requirePattern(item)}`
    default:
      return sql`${column} ${comparisons[item.cond]} ${requireValue(item)}`
  }
}

/** The conditions of a filter, all of which must hold. Throws filter.unknown-field. */
export const toConditions = (fields: FilterFields, filter: readonly FilterItem[]): RawBuilder<SqlBool> =>
  filter.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        filter.map((item) => toCondition(fields, item)),
        sql` and `,
      )})`

const PATTERN_LIMIT_MS = 2_000
const INVALID_PATTERN = '2201B'
const CUT_SHORT = '57014'
const codeOf = z.object({ code: z.string() })

/**
 * Runs queries that hold a caller's patterns, each for 2 s at most: a pattern can be made to take for ever.
 * Throws filter.bad-pattern for one that is invalid or takes too long.
 */
export async function withPatterns<Result>(
  db: Database,
  filter: readonly FilterItem[],
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const pattern = filter.find((item) => item.cond === 'regex')
  if (!pattern) return work(db)
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(PATTERN_LIMIT_MS)}`.execute(transaction)
      return work(transaction)
    })
  } catch (error) {
    const known = codeOf.safeParse(error)
    if (known.success && [INVALID_PATTERN, CUT_SHORT].includes(known.data.code)) {
      throw new AppError('filter.bad-pattern', { field: pattern.field }, { cause: error })
    }
    throw error
  }
}
