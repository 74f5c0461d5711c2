import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * Condition that a device belongs to irrigation: a valve in a group, the master valve or the controller of a source, or a
 * valve that is registered with this purpose. It has no part in heating, also where both are in one tree.
 */
export const isWatering = sql<SqlBool>`device.id in (
  select (valve->>'deviceId')::bigint from irrigation_group, jsonb_array_elements(settings->'valves') valve
  union all
  select (settings->>'masterId')::bigint from irrigation_source where settings ? 'masterId'
  union all
  select (settings->>'stationId')::bigint from irrigation_source where settings ? 'stationId'
  union all
  select device_id from control_device where purpose = 'irrigation')`

/** All devices that belong to irrigation. */
export async function listWatering(db: Database): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('device').select('id').where(isWatering).execute()
  return new Set(rows.map(({ id }) => id))
}
