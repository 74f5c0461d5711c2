import type { IrrigationUse } from '@isotherm/contract/irrigation'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { FindReading } from '../field.ts'

/** The parts of sources and groups, each with the device that has it. */
export const parts = sql`
  select source.id as source_id, null::bigint as group_id, named.part, (source.settings->>named.setting)::bigint as device_id
  from irrigation_source source cross join (values ('stationId', 'station'), ('masterId', 'master'), ('meterId', 'meter'),
    ('inletId', 'inlet'), ('outletId', 'outlet'), ('rainId', 'rain')) named (setting, part)
  where source.settings ? named.setting
  union all
  select source_id, id, 'valve', (valve->>'deviceId')::bigint
  from irrigation_group, jsonb_array_elements(settings->'valves') valve
  union all
  select source_id, id, 'probe', probe::bigint
  from irrigation_group, jsonb_array_elements_text(settings->'probeIds') probe`

/** What a device does for irrigation, at granted nodes. */
export async function listUses(db: Database, scope: Scope, deviceId: number): Promise<IrrigationUse[]> {
  const { rows } = await sql<Omit<IrrigationUse, 'groupName'> & { readonly groupName: string | null }>`
    select part.part, source.settings->>'name' as "sourceName", watered.settings->>'name' as "groupName", node.nestaddr
    from (${parts}) part join irrigation_source source on source.id = part.source_id
      join node on node.id = source.node_id left join irrigation_group watered on watered.id = part.group_id
    where part.device_id = ${deviceId} and ${isInScope('node.path', scope)}
    order by node.sort_path, source.id, watered.id, part.part`.execute(db)
  return rows.map(({ groupName, ...use }) => ({ ...use, ...(groupName === null ? {} : { groupName }) }))
}

/** What a weather station reports beside the temperature. */
const stationMetrics = ['humidity.outdoor', 'wind.speed', 'sun.radiation', 'rain.total'] as const

/**
 * Those of some devices that may be weather stations. A flow meter, a pressure sensor or a soil probe of any source that reports of the
 * weather a temperature alone is none: that of a meter is that of its pit. A rain sensor is one.
 */
export async function listWeatherStations(
  db: Database,
  findReading: FindReading,
  deviceIds: readonly number[],
): Promise<number[]> {
  const complete = deviceIds.filter((id) =>
    stationMetrics.some((metric) => findReading(id, metric, 'any') !== undefined),
  )
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${[...deviceIds]}::bigint[]) id
    where id = any(${complete}::bigint[])
      or not exists (
        select from (${parts}) part where device_id = id and part in ('meter', 'inlet', 'outlet', 'probe'))
      or exists (select from (${parts}) part where device_id = id and part = 'rain')`.execute(db)
  return rows.map(({ id }) => id)
}

/** Names of a sensor and of its source. */
interface Attached {
  readonly device: string
  readonly source: string
}

/** Devices that are taken from where they measure. */
interface Leaving {
  readonly ids: readonly number[]
  readonly how: 'retired' | 'removed' | 'moved'
}

/**
 * Refuses to retire or remove a sensor of a source or a group, or to move it away from the node of its source: what it
 * protects would not be watched any longer, and nobody would know. Throws irrigation.sensor-attached.
 */
export async function requireDetached(
  transaction: Transaction<Tables>,
  { ids, how }: Leaving,
): Promise<void> {
  const { rows } = await sql<Attached>`
    select device.name as device, source.settings->>'name' as source
    from device join (${parts}) part on part.device_id = device.id
      join irrigation_source source on source.id = part.source_id
      join node place on place.id = source.node_id join node own on own.id = device.node_id
    where device.id = any(${[...ids]}::bigint[]) and part.part in ('meter', 'inlet', 'outlet', 'rain', 'probe')
      and (${how !== 'moved'} or not starts_with(own.path, place.path))
    order by device.id limit 1`.execute(transaction)
  const [attached] = rows
  if (attached) throw new AppError('irrigation.sensor-attached', { ...attached })
}

/** Sensors that are not below the node of their source. */
async function listAway(
  transaction: Transaction<Tables>,
): Promise<readonly (Attached & { readonly key: string })[]> {
  const { rows } = await sql<Attached & { readonly key: string }>`
    select concat_ws(' ', source.id, part.group_id, part.part, device.id) as key, device.name as device,
      source.settings->>'name' as source
    from (${parts}) part join device on device.id = part.device_id
      join irrigation_source source on source.id = part.source_id
      join node place on place.id = source.node_id join node own on own.id = device.node_id
    where part.part in ('meter', 'inlet', 'outlet', 'rain', 'probe') and not starts_with(own.path, place.path)
    order by device.id`.execute(transaction)
  return rows
}

/**
 * Guards sensors against changes that move many devices or a part of the tree: these must not take one away from the node of its source.
 * Sensors that were away before do not count. The returned function throws irrigation.sensor-attached.
 */
export async function guardSensors(transaction: Transaction<Tables>): Promise<() => Promise<void>> {
  const before = new Set((await listAway(transaction)).map(({ key }) => key))
  return async () => {
    const taken = (await listAway(transaction)).find(({ key }) => !before.has(key))
    if (taken)
      throw new AppError('irrigation.sensor-attached', { device: taken.device, source: taken.source })
  }
}

/** A device that would stand at a place, or at one below it, by the path of a node. */
export interface Move {
  readonly row: number
  readonly deviceId: number
  readonly path: string
}

/** The moves that would take a sensor away from the node of its source, with the names of both. */
export async function listTakenAway(
  transaction: Transaction<Tables>,
  moves: readonly Move[],
): Promise<readonly (Attached & { readonly row: number })[]> {
  if (moves.length === 0) return []
  const { rows } = await sql<Attached & { readonly row: number }>`
    select distinct on (given.row) given.row, device.name as device, source.settings->>'name' as source
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) given (row integer, "deviceId" bigint, path text)
      join device on device.id = given."deviceId" join (${parts}) part on part.device_id = device.id
      join irrigation_source source on source.id = part.source_id
      join node place on place.id = source.node_id join node own on own.id = device.node_id
    where part.part in ('meter', 'inlet', 'outlet', 'rain', 'probe')
      and starts_with(own.path, place.path) and not starts_with(given.path, place.path)
    order by given.row, source.id`.execute(transaction)
  return rows
}

/** The new devices take the parts of the sensors and controllers that they replaced. */
export async function handOverParts(transaction: Transaction<Tables>, ids: readonly number[]): Promise<void> {
  const replaced = await transaction
    .selectFrom('device')
    .select(['id', 'replaced_by_id'])
    .where('id', 'in', [...ids])
    .execute()
  for (const { id, replaced_by_id } of replaced)
    if (replaced_by_id !== null) await handOver(transaction, id, replaced_by_id)
}

const handedOver = sql`unnest(array['stationId', 'meterId', 'inletId', 'outletId', 'rainId']) setting`

/** The new device has measured nothing yet: conditions that the old one showed begin anew. */
async function handOver(transaction: Transaction<Tables>, from: number, to: number): Promise<void> {
  await sql`
    update irrigation_source source set leak_since_ms = null, leak_seen_ms = null, dry_since_ms = null, dry_seen_ms = null,
      low_since_ms = null, low_seen_ms = null,
      settings = settings || (
        select jsonb_object_agg(setting, ${to}::bigint) from ${handedOver} where settings->>setting = ${String(from)})
    where exists (select from ${handedOver} where settings->>setting = ${String(from)})`.execute(transaction)
  await sql`
    update irrigation_group set settings = jsonb_set(settings, '{probeIds}', (
      select jsonb_agg(case when probe::bigint = ${from}::bigint then ${to}::bigint else probe::bigint end order by nr)
      from jsonb_array_elements_text(settings->'probeIds') with ordinality given (probe, nr)))
    where settings->'probeIds' @> to_jsonb(${from}::bigint)`.execute(transaction)
}
