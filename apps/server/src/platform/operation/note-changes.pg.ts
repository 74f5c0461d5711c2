import { sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/** A change that no trigger notes, for it is no new version of its entity. */
export interface NotedChange {
  readonly id: string | number
  /** Of the entity, when it has versions. */
  readonly version?: number
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  /** Where the entity stands, see scope.ts. */
  readonly path: string
}

/** Puts changes of entities of one kind into the log, with the operation of the transaction (operate.pg.ts). */
export async function noteChanges(
  transaction: Transaction<Tables>,
  entity: string,
  changes: readonly NotedChange[],
): Promise<void> {
  await sql`
    insert into operation_change (operation_id, entity, entity_id, version, action, path, before, after)
    select current_setting('isotherm.operation')::bigint, ${entity}, id, version, 'changed', path, before, after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      given (id text, version integer, path text, before jsonb, after jsonb)`.execute(transaction)
}
