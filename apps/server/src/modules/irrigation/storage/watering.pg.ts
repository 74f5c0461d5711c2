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

/** Condition that a household or a kind of heating is at or below the node of a device. */
const isHeatedBelow = sql<SqlBool>`exists (
  select from node place join node heated on heated.path >= place.path
    and heated.path < rtrim(place.path, '/') || '0'
  where place.id = device.node_id and (heated.level = ${treeLevels.household} or heated.emitter is not null))`

/** Condition that the building of a device has a kind of heating, a heat meter or a room sensor. */
const isInHeatedBuilding = sql<SqlBool>`exists (
  select from node place join node above on above.id = any(string_to_array(trim(both '/' from place.path), '/')::bigint[])
  where place.id = device.node_id and above.level >= ${treeLevels.building} and (above.emitter is not null or exists (
    select from node inside join device sensor on sensor.node_id = inside.id
    where inside.path >= above.path and inside.path < rtrim(above.path, '/') || '0'
      and sensor.kind in ('heat-meter', 'room-sensor'))))`

/**
 * Condition that a valve may be given to irrigation by somebody who does not control valves: it is registered for irrigation, or it may
 * shut completely, is registered for nothing else, and nothing of its building or at or below its node is heated.
 */
const isForWater = sql<SqlBool>`(
  exists (select from control_device where device_id = device.id and purpose = 'irrigation')
  or (coalesce(device.min_opening_pct, 0) = 0
    and not exists (select from control_device where device_id = device.id)
    and not ${isHeatedBelow} and not ${isInHeatedBuilding}))`

/** Condition that somebody who does not control valves may give a valve, or the controller of a pump house, to irrigation. */
export const mayWater = sql<SqlBool>`case device.kind when 'valve' then ${isForWater} else not ${isHeatedBelow} end`

/** A device that may be of heating, among some. */
export interface HeatingDevice {
  readonly name: string
  readonly kind: string
}

/** One of some devices that may be of heating; undefined: none is. */
export async function findHeatingDevice(
  db: Database,
  deviceIds: readonly number[],
): Promise<HeatingDevice | undefined> {
  const { rows } = await sql<HeatingDevice>`
    select name, kind from device where id = any(${[...deviceIds]}::bigint[]) and not ${mayWater}
    order by id limit 1`.execute(db)
  return rows[0]
}
