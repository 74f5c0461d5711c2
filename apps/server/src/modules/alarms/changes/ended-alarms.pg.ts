import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * Removes alarms that ended, with their log, once nothing happened to them since an instant (Unix ms): at most so many
 * at once, the oldest first. Answers how many it removed.
 */
export async function removeEndedAlarms(db: Database, before: number, most: number): Promise<number> {
  const at = new Date(before)
  const { numAffectedRows } = await sql`
    delete from alarm where id in (
      select id from alarm
      where state = 'ended' and raised_at < ${at} and (cleared_at is null or cleared_at < ${at})
        and not exists (select from alarm_event where alarm_id = alarm.id and at >= ${at})
      order by raised_at, id limit ${most} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
