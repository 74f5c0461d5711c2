import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { PipeRecord } from '@isotherm/contract/network/pipes'
import type { ValveCharacteristic } from '@isotherm/contract/valve-characteristic'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow } from '../../../platform/scope/scope.pg.ts'
import { listAbove } from '../../../platform/scope/scope.ts'
import { isWatering } from '../../irrigation/index.ts'
import { toNodeKey } from '../../network/index.ts'

/** A node, and the id of the station controller on it, if there is one. */
export interface NodeWithStation {
  readonly id: number
  readonly companyId: number
  readonly name: string
  readonly path: string
  readonly stationDeviceId: number | null
}

/** A valve of a loop as recorded in the registry. */
export interface LoopValve {
  readonly deviceId: number
  readonly deviceName: string
  readonly model: string
  /** Its characteristic if one is stated. */
  readonly characteristic?: ValveCharacteristic | null
  /** Key of its node. */
  readonly node: string
  readonly nestaddr: string
  /** Path of its node. */
  readonly path: string
  readonly level: number
  readonly periodS: number
  /** Openings it accepts, %: its own limits, and those of the nodes above it. */
  readonly minPct: number | null
  readonly maxPct: number | null
  /** Maximum move at once by those limits, percentage points. */
  readonly maxStepPct: number | null
  /** Floor area of the households behind it, m²; null if none is recorded. */
  readonly areaM2: number | null
}

/** A device of a loop that only measures. */
export interface LoopSensor {
  readonly deviceId: number
  /** Path of its node. */
  readonly path: string
  readonly periodS: number
}

/** A trench of supply and return between two nodes of a loop. */
export interface LoopPipe
  extends Pick<PipeRecord, 'lengthM' | 'innerDiameterMm' | 'material' | 'roughnessMm'> {
  /** Paths of both ends. */
  readonly from: string
  readonly to: string
}

/** Recorded emitter of a node, valid for the rooms below it. */
export interface EmitterRecord {
  readonly path: string
  readonly emitter: EmitterKind
  /** Floor area of the households at and below it, m²; not read above a loop. */
  readonly areaM2: number
}

/**
 * Maximum number of valves, room sensors and pipes of one loop, each. A station heats some thousands of households,
 * and a household may have a valve, a sensor and a pipe of its own.
 */
export const MAX_OF_A_KIND = 20_000

/** The node at a path and all nodes above it, the lowest first. */
export async function readAncestry(db: Database, path: string): Promise<readonly NodeWithStation[]> {
  const paths = [...listAbove(path), path]
  const { rows } = await sql<NodeWithStation>`
    select node.id, node.company_id as "companyId", node.name, node.path, (
      select min(device.id) from device
      where device.node_id = node.id and device.kind = 'station' and device.retired_at is null and not ${isWatering}) as "stationDeviceId"
    from node where node.path = any(${paths}::text[]) order by length(node.path) desc`.execute(db)
  return rows
}

/** Heat stations in use at and below a path, ordered by id. */
export async function listStations(db: Database, path: string): Promise<readonly LoopSensor[]> {
  const { rows } = await sql<LoopSensor>`
    select device.id as "deviceId", node.path, device.period_s as "periodS"
    from device join node on node.id = device.node_id
    where ${isBelow('node.path', [path])} and device.kind = 'station' and device.retired_at is null and not ${isWatering}
    order by device.id`.execute(db)
  return rows
}

/** Condition that a valve supplies a consumer. Bypass, pump and irrigation valves do not. */
export const isOfConsumer = sql<SqlBool>`(not ${isWatering} and not exists (
  select from control_device where control_device.device_id = device.id
    and control_device.purpose in ('bypass', 'pump')))`

/** Valves in use below a path, in tree order: at most one more than MAX_OF_A_KIND. */
export async function listValves(db: Database, path: string): Promise<readonly LoopValve[]> {
  type Row = Omit<LoopValve, 'node'> & { nodeId: number; uuid: string | null; address: string | null }
  const { rows } = await sql<Row>`
    select device.id as "deviceId", device.name as "deviceName", device.model, device.characteristic,
      device.period_s as "periodS",
      greatest(device.min_opening_pct, set.least) as "minPct", device.max_opening_pct as "maxPct", set.step as "maxStepPct",
      node.id as "nodeId", node.uuid::text as uuid, node.address, node.nestaddr, node.path, node.level, (
        select sum(flat.area_m2) from node flat
        where flat.path >= node.path collate "C" and flat.path < (rtrim(node.path, '/') || '0') collate "C") as "areaM2"
    from device join node on node.id = device.node_id cross join lateral (
      select max(min_opening_pct) as least, min(max_step_pct) as step from control_limit
      where node_id = any(string_to_array(trim('/' from node.path), '/')::bigint[])) set
    where ${isBelow('node.path', [path])} and device.kind = 'valve' and device.retired_at is null and ${isOfConsumer}
    order by node.company_id, node.sort_path, device.serial limit ${MAX_OF_A_KIND + 1}`.execute(db)
  return rows.map(({ nodeId, uuid, address, ...valve }) => ({
    ...valve,
    node: toNodeKey({ id: nodeId, uuid, address }),
  }))
}

/** Room sensors in use below a path: at most one more than MAX_OF_A_KIND. */
export async function listRooms(db: Database, path: string): Promise<readonly LoopSensor[]> {
  const { rows } = await sql<LoopSensor>`
    select device.id as "deviceId", node.path, device.period_s as "periodS"
    from device join node on node.id = device.node_id
    where ${isBelow('node.path', [path])} and device.kind = 'room-sensor' and device.retired_at is null
    order by device.id limit ${MAX_OF_A_KIND + 1}`.execute(db)
  return rows
}

/** Recorded pipes between nodes at and below a path: at most one more than MAX_OF_A_KIND. */
export async function listPipes(db: Database, path: string): Promise<readonly LoopPipe[]> {
  const { rows } = await sql<LoopPipe>`
    select from_node.path as "from", to_node.path as "to", length_m as "lengthM", material,
      inner_diameter_mm as "innerDiameterMm", roughness_mm as "roughnessMm"
    from pipe join node from_node on from_node.id = pipe.from_node_id join node to_node on to_node.id = pipe.to_node_id
    where ${isBelow('from_node.path', [path])} and ${isBelow('to_node.path', [path])}
    order by pipe.id limit ${MAX_OF_A_KIND + 1}`.execute(db)
  return rows
}

/** Recorded emitters at, below and above a path. */
export async function listEmitters(db: Database, path: string): Promise<readonly EmitterRecord[]> {
  const { rows } = await sql<EmitterRecord>`
    select node.path, node.emitter, coalesce((
      select sum(flat.area_m2) from node flat
      where flat.path >= node.path collate "C" and flat.path < (rtrim(node.path, '/') || '0') collate "C"), 0) as "areaM2"
    from node where node.emitter is not null and ${isBelow('node.path', [path])}
    union all
    select path, emitter, 0 from node where emitter is not null and path = any(${[...listAbove(path)]}::text[])`.execute(
    db,
  )
  return rows
}
