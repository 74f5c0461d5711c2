import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { escapeLike } from '../../../platform/postgres/filter.pg.ts'
import { isDeviceBelow } from '../../../platform/scope/scope.pg.ts'

/** A pattern for each word of a text. */
export const toPatterns = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `%${escapeLike(word)}%`)

/** Room sensors below paths with all words of a text in their address, name or serial. */
export async function findRooms(
  db: Database,
  paths: readonly string[],
  text: string,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('device')
    .innerJoin('node', 'node.id', 'device.node_id')
    .select('device.id')
    .where('device.kind', '=', 'room-sensor')
    .where('device.retired_at', 'is', null)
    .where(isDeviceBelow(paths))
    .where(
      sql<SqlBool>`node.nestaddr || ' ' || device.name || ' ' || device.serial ilike all(${toPatterns(text)}::text[])`,
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
