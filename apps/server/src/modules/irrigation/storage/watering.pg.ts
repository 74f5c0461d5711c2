import { treeLevels } from '@isotherm/contract/tree'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/**
 * Ids of the devices that belong to irrigation: a valve in a group, the master valve or the controller of a source, or a valve that is
 * registered with this purpose. They have no part in heating, also where both are in one tree.
 */
const wateringIds = sql<{ id: number }>`
  select (valve->>'deviceId')::bigint as id from irrigation_group, jsonb_array_elements(settings->'valves') valve
  union all
  select (settings->>'masterId')::bigint from irrigation_source where settings ? 'masterId'
  union all
  select (settings->>'stationId')::bigint from irrigation_source where settings ? 'stationId'
  union all
  select device_id from control_device where purpose = 'irrigation'`

/** Condition that a device belongs to irrigation. */
export const isWatering = sql<SqlBool>`device.id in (${wateringIds})`

/** All devices that belong to irrigation. Home pages ask every few seconds, so the table of devices is not read. */
export async function listWatering(db: Database): Promise<ReadonlySet<number>> {
  const { rows } = await wateringIds.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Condition that a valve may be given to irrigation by somebody who does not control valves: it is registered for irrigation, or it
 * may shut completely by its own limits, is registered for nothing else, and neither its building nor anything at or below its node is heated.
 */
export const isForWater = sql<SqlBool>`(
  exists (select from control_device where device_id = device.id and purpose = 'irrigation')
  or (device.min_opening_pct = 0
    and not exists (select from control_device where device_id = device.id)
    and not exists (
      select from node place join node heated on heated.path >= place.path
        and heated.path < rtrim(place.path, '/') || '0'
      where place.id = device.node_id and (heated.level = ${treeLevels.household} or heated.emitter is not null))
    and not exists (
      select from node place join node above on above.id = any(string_to_array(trim(both '/' from place.path), '/')::bigint[])
      where place.id = device.node_id and above.level >= ${treeLevels.building} and above.emitter is not null)))`

/** One of some valves that may be a heating valve; undefined: none is. */
export async function findHeatingValve(
  db: Database,
  deviceIds: readonly number[],
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from device where id = any(${[...deviceIds]}::bigint[]) and not coalesce(${isForWater}, false)
    order by id limit 1`.execute(db)
  return rows[0]?.name
}
