import { sql } from 'kysely'
import type { ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'

/** Only its own account may use an import: it contains names from the file, which other accounts may not be granted. */
export const createTransferReferences = (db: Database): ReferencesOf<'transfer'> => ({
  async transfer({ accountId }, values) {
    const ids = values.filter((value) => typeof value === 'number')
    const { rows } = await sql<{ count: number }>`
      select count(*) from transfer
      where id = any(${ids}::bigint[]) and account_id = ${accountId} and state <> 'uploading'`.execute(db)
    return rows[0]?.count === ids.length
  },
})
