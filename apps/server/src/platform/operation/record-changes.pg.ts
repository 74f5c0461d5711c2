import { sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/** A change that no trigger records, because it is not a new version of its entity. */
export interface RecordedChange {
  readonly id: string | number
  /** Version of the entity, if it has versions. */
  readonly version?: number
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  /** Path of the entity, see scope.ts. */
  readonly path: string
}

/** Records changes of entities of one kind in the operation log, under the operation of the transaction (operate.pg.ts). */
export async function recordChanges(
  transaction: Transaction<Tables>,
  entity: string,
  changes: readonly RecordedChange[],
): Promise<void> {
  await sql`
    insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
    select current_setting('isotherm.operation')::bigint, ${entity}, id, version, 'changed', path, before, after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      given (id text, version integer, path text, before jsonb, after jsonb)`.execute(transaction)
}
