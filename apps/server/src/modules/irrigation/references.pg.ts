import { sql } from 'kysely'
import type { ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isInScope } from '../../platform/scope/scope.pg.ts'
import type { Scope } from '../../platform/scope/scope.ts'

/** Whether rows with all these ids exist at sources whose node is granted. */
async function areGranted(
  db: Database,
  table: 'irrigation_source' | 'irrigation_group' | 'irrigation_program' | 'irrigation_run',
  scope: Scope,
  values: readonly (string | number)[],
): Promise<boolean> {
  const ids = values.filter((value) => typeof value === 'number')
  const sourceId = sql.ref(table === 'irrigation_source' ? 'named.id' : 'named.source_id')
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} named join irrigation_source source on source.id = ${sourceId}
      join node on node.id = source.node_id
    where named.id = any(${ids}::bigint[]) and ${isInScope('node.path', scope)}`.execute(db)
  return rows[0]?.count === values.length
}

/** References of calls to irrigation: what belongs to a source at a granted node, for reads and for changes. */
export const createIrrigationReferences = (
  db: Database,
): ReferencesOf<'irrigation-source' | 'irrigation-group' | 'irrigation-program' | 'irrigation-run'> => ({
  'irrigation-source': ({ scope }, values) => areGranted(db, 'irrigation_source', scope, values),
  'irrigation-group': ({ scope }, values) => areGranted(db, 'irrigation_group', scope, values),
  'irrigation-program': ({ scope }, values) => areGranted(db, 'irrigation_program', scope, values),
  'irrigation-run': ({ scope }, values) => areGranted(db, 'irrigation_run', scope, values),
})
