import { sql } from 'kysely'
import type { ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'

/** An import is its account's alone: it shows names from the file, granted to others or not. */
export const createTransferReferences = (db: Database): ReferencesOf<'transfer'> => ({
  async transfer({ accountId }, values) {
    const ids = values.filter((value) => typeof value === 'number')
    const { rows } = await sql<{ count: number }>`
      select count(*) from transfer
      where id = any(${ids}::bigint[]) and account_id = ${accountId} and state <> 'uploading'`.execute(db)
    return rows[0]?.count === ids.length
  },
})
