import type { EntityName } from '@isotherm/contract/locales/error-param'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../app-error.ts'
import type { Tables } from '../tables.ts'

/** An entity that is going to change, and the version that the change is based on. */
export interface Versioned {
  /** Table, and name of the entity in the operation log. */
  readonly table: keyof Tables & string
  readonly entity: EntityName
  readonly id: number
  /** undefined accepts any version (only for calls of the specification that carry none). */
  readonly version: number | undefined
}

interface LaterChange {
  readonly account: string
  readonly fields: readonly string[]
}

const toFieldName = (column: string): string =>
  column.replace(/_(?<letter>[a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The error for a change that is based on an old version: names the accounts and fields of the changes since then. */
export async function toStale(
  transaction: Transaction<Tables>,
  { entity, id, version }: Versioned,
): Promise<AppError> {
  const { rows } = await sql<LaterChange>`
    select operation.account, array(select jsonb_object_keys(change.after)) as fields
    from operation_change change join operation on operation.id = change.operation_id
    where change.entity = ${entity} and change.entity_id = ${String(id)}
      and (change.version > ${version} or change.action = 'removed' and change.version = ${version})
    order by change.id limit 20`.execute(transaction)
  const by = [...new Set(rows.map(({ account }) => account))].join(', ')
  const fields = [...new Set(rows.flatMap((row) => row.fields.map(toFieldName)))].join(', ')
  return new AppError('entity.stale', { what: entity, by: by || '-', fields: fields || '-' })
}

/**
 * Locks an entity's row until the end of the transaction and checks that its version is the expected one. Returns false
 * if the row does not exist. Throws entity.stale.
 */
export async function lockVersion(transaction: Transaction<Tables>, versioned: Versioned): Promise<boolean> {
  const { rows } = await sql<{ version: number }>`
    select version from ${sql.table(versioned.table)} where id = ${versioned.id} for update`.execute(
    transaction,
  )
  const [row] = rows
  if (!row) return false
  if (versioned.version !== undefined && row.version !== versioned.version) {
    throw await toStale(transaction, versioned)
  }
  return true
}
