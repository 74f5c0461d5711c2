import { sql } from 'kysely'
import type { ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isInScope } from '../../platform/scope/scope.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'

/** Whether rows with all these ids exist at nodes that are granted as a whole. */
async function areGranted(
  db: Database,
  table: 'campaign' | 'strategy',
  scope: Scope,
  values: readonly (string | number)[],
): Promise<boolean> {
  const ids = values.filter((value) => typeof value === 'number')
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} named join node on node.id = named.node_id
    where named.id = any(${ids}::bigint[]) and ${isInScope('node.path', scope)}`.execute(db)
  return rows[0]?.count === values.length
}

/**
 * References of calls to balancing: campaigns and strategies of nodes that are granted as a whole, for reads and for
 * changes.
 */
export const createBalancingReferences = (db: Database): ReferencesOf<'campaign' | 'strategy'> => ({
  campaign: ({ scope }, values) => areGranted(db, 'campaign', scope, values),
  strategy: ({ scope }, values) => areGranted(db, 'strategy', scope, values),
})
