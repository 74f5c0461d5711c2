import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toNodeKey } from '../../network/index.ts'

/** Whether there ever was a source of irrigation: removed ones count too. */
export async function hadSources(db: Database): Promise<boolean> {
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence('irrigation_source', 'id')::regclass) as last`.execute(
    db,
  )
  return rows[0]?.last != null
}

export async function findCompanyId(db: Database, tenant: string): Promise<number | undefined> {
  const row = await db.selectFrom('company').select('id').where('tenant', '=', tenant).executeTakeFirst()
  return row?.id
}

/** The demo account whose role is that of irrigation. */
export const findKeeper = (db: Database) =>
  db
    .selectFrom('account')
    .innerJoin('account_role', 'account_role.account_id', 'account.id')
    .innerJoin('role', 'role.id', 'account_role.role_id')
    .select(['account.id', 'account.account'])
    .where('account.is_demo', '=', true)
    .where('role.key', '=', 'irrigation')
    .orderBy('account.id')
    .executeTakeFirst()

/** Keys of a company's nodes for calls, by their keys in its registry file. */
export async function listNodeKeys(db: Database, companyId: number): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('node')
    .select(['id', 'key', 'uuid', 'address'])
    .where('company_id', '=', companyId)
    .where('level', '<=', 5)
    .execute()
  return new Map(rows.flatMap(({ key, ...node }) => (key === null ? [] : [[key, toNodeKey(node)] as const])))
}

/** Devices in use of a company by their serials. */
export async function listDeviceIds(db: Database, companyId: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('device')
    .select(['id', 'serial'])
    .where('company_id', '=', companyId)
    .where('kind', 'in', ['valve', 'station', 'sensor'])
    .where('retired_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, serial }) => [serial, id]))
}
