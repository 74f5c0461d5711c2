import { MAX_LOG_ENTRIES } from '@isotherm/contract/endpoints/administration/operations'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * Ids of the operations that changed anything at or below `paths`. Undefined above MAX_LOG_ENTRIES: then a read from
 * the end of the log finds enough of them quickly. A subtree is one range of the index on paths: '0' follows '/'.
 */
export async function findTouching(
  db: Database,
  paths: readonly string[],
): Promise<readonly number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select touching.id from unnest(${[...paths]}::text[]) subtree cross join lateral (
      select operation_id as id from operation_change
      where path >= subtree collate "C" and path < (left(subtree, -1) || '0') collate "C"
      limit ${MAX_LOG_ENTRIES + 1}) touching
    limit ${MAX_LOG_ENTRIES + 1}`.execute(db)
  return rows.length > MAX_LOG_ENTRIES ? undefined : [...new Set(rows.map(({ id }) => id))]
}
