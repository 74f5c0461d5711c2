import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type FilterFields, textField, toConditions, toOffset } from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { isVisible } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Page, PageQuery } from '../nodes/page.ts'
import type { NodeKind } from '../nodes/tables.ts'

/** A project or group that is marked as a subdivision. */
export interface SubdivisionRow {
  readonly nodeId: number
  readonly pids: string
  readonly stype: string
  readonly path: string
  readonly kind: NodeKind
  readonly version: number
}

const fields: FilterFields = {
  sid: textField(sql`node.id::text`),
  psids: textField(sql`node.pids`),
  // The same ids by the name that tree nodes have for them.
  parentids: textField(sql`node.pids`),
  stype: textField(sql`subdivision.stype`),
}

/** Lists the subdivisions that the scope shows, in tree order. */
export const listSubdivisions = (
  db: Database,
  scope: Scope,
  { filter, limiter }: PageQuery,
): Promise<Page<SubdivisionRow>> =>
  withListLimits(db, filter, async (bounded) => {
    const found = bounded
      .selectFrom('subdivision')
      .innerJoin('node', 'node.id', 'subdivision.node_id')
      .where(isVisible('node.path', scope))
      .where(toConditions(fields, filter))
    const { total } = await found
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await found
      .select([
        'node.id as nodeId',
        'node.pids',
        'node.path',
        'node.kind',
        'subdivision.stype',
        'subdivision.version',
      ])
      .orderBy('node.company_id')
      .orderBy('node.sort_path')
      .limit(limiter.size)
      .offset(toOffset(limiter))
      .execute()
    return { rows, total }
  })
