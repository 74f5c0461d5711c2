import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { CELL_SETTING, type Cell } from './cell.ts'

const tenants = sql`nullif(current_setting(${sql.lit(CELL_SETTING)}, true), '')`

/** Whether the connection belongs to a server with a cell. */
export const hasCell: RawBuilder<SqlBool> = sql<SqlBool>`(${tenants} is not null)`

/** Condition: this server serves the company whose tenant is in `column`. */
export const isServedTenant = (column: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${tenants} is null or ${sql.ref(column)} = any(string_to_array(${tenants}, ',')))`

/**
 * Condition: this server serves the company whose id is in `column`. Every query that takes work, or reads what a server
 * evaluates by itself, has it. The companies come from the connection, so no caller has to pass them on.
 */
export const isServed = (column: string | RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${tenants} is null or ${typeof column === 'string' ? sql.ref(column) : column} in (
    select served.id from company served where ${isServedTenant('served.tenant')}))`

/** Condition: this server serves the company of the device whose id is in `column`. */
export const isServedDevice = (column: string): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${tenants} is null or exists (
    select from device placed where placed.id = ${sql.ref(column)} and ${isServed('placed.company_id')}))`

/** Condition: this server serves the company of the node whose id is in `column`. */
export const isServedNode = (column: string): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${tenants} is null or exists (
    select from node place where place.id = ${sql.ref(column)} and ${isServed('place.company_id')}))`

/**
 * Tenants of the cell that no company has. Rejects if the connections do not know the cell: the server would then serve
 * all companies.
 */
export async function listUnknownTenants(
  db: Kysely<Tables>,
  { tenants: named }: Cell,
): Promise<readonly string[]> {
  const { rows } = await sql<{ stated: string | null; known: readonly string[] }>`
    select ${tenants} as stated, array(select tenant from company where ${isServed('company.id')}) as known`.execute(
    db,
  )
  if (rows[0]?.stated !== named.join(','))
    throw new Error('DATABASE_URL has options, so connections cannot state the companies of ISOTHERM_TENANTS')
  return named.filter((tenant) => !rows[0]?.known.includes(tenant))
}
