import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { type FilterFields, toConditions, toOffset } from '../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../platform/postgres/list-limits.pg.ts'

interface PageQuery {
  readonly columns: RawBuilder<unknown>
  readonly from: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  /** Limits the rows to those the caller may see. */
  readonly where: Expression<unknown>
  readonly fields: FilterFields
}

export interface Page<Row> {
  readonly datalist: Row[]
  readonly total: number
}

/** A page of the rows that match a filter, and the number of all matches. */
export const findPage = <Row>(
  db: Database,
  { columns, from, order, where, fields }: PageQuery,
  { filter, limiter }: { readonly filter: readonly FilterItem[]; readonly limiter: Limiter },
): Promise<Page<Row>> => {
  const matching = sql`${from} where ${where} and ${toConditions(fields, filter)}`
  return withListLimits(db, filter, async (connection) => {
    const counted = await sql<{ total: number }>`select count(*) as total from ${matching}`.execute(
      connection,
    )
    const { rows } = await sql<Row>`
      select ${columns} from ${matching} order by ${order}
      limit ${limiter.size} offset ${toOffset(limiter)}`.execute(connection)
    return { datalist: rows, total: counted.rows[0]?.total ?? 0 }
  })
}
