import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * Deletes at most `limit` ended alarms with their log, oldest first, that have no event since an instant (Unix ms). Returns
 * the number of deleted alarms.
 */
export async function removeEndedAlarms(db: Database, before: number, limit: number): Promise<number> {
  const at = new Date(before)
  const { numAffectedRows } = await sql`
    delete from alarm where id in (
      select id from alarm
      where state = 'ended' and raised_at < ${at} and (cleared_at is null or cleared_at < ${at})
        and not exists (select from alarm_event where alarm_id = alarm.id and at >= ${at})
      order by raised_at, id limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
