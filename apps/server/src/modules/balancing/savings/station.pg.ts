import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** A station whose heat is compared. */
export interface SavingStation {
  readonly nodeId: number
  readonly companyId: number
  readonly name: string
  readonly path: string
  /** Its controller, and the ones that it replaced. */
  readonly controllers: readonly number[]
  /** The meter on its node and the ones that it replaced; empty if there is none, or more than one. */
  readonly meters: readonly number[]
}

/** A device and those that it replaced. */
async function listReplaced(db: Database, deviceId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive line as (
      select id from device where id = ${deviceId}
      union select device.id from device join line on device.replaced_by_id = line.id)
    select id from line order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The station of a controller; undefined if the device is no controller of a station, or on no node. */
export async function findStation(db: Database, deviceId: number): Promise<SavingStation | undefined> {
  const { rows } = await sql<Pick<SavingStation, 'nodeId' | 'companyId' | 'name' | 'path'>>`
    select node.id as "nodeId", node.company_id as "companyId", node.name, node.path
    from device join node on node.id = device.node_id
    where device.id = ${deviceId} and device.kind = 'station'`.execute(db)
  const [station] = rows
  if (!station) return undefined
  const meters = await sql<{ id: number }>`
    select id from device where node_id = ${station.nodeId} and kind = 'heat-meter' and retired_at is null
    limit 2`.execute(db)
  const [meter, other] = meters.rows
  return {
    ...station,
    controllers: await listReplaced(db, deviceId),
    // Of several meters nobody has stated which one measures the whole station.
    meters: meter && !other ? await listReplaced(db, meter.id) : [],
  }
}

/** Name of a device, for an error. */
export async function findDeviceName(db: Database, deviceId: number): Promise<string> {
  const device = await db.selectFrom('device').select('name').where('id', '=', deviceId).executeTakeFirst()
  return device?.name ?? String(deviceId)
}

/** The first balance or strategy of a station. */
export interface FirstChange {
  readonly by: 'campaign' | 'strategy'
  /** Unix ms. */
  readonly at: number
}

/** The first balance of a station that was executed and not rolled back, or its first strategy, whichever came first. */
export async function findFirstChange(db: Database, stationNodeId: number): Promise<FirstChange | undefined> {
  const { rows } = await sql<FirstChange>`
    select 'campaign' as by, approved_ms as at from campaign
    where station_node_id = ${stationNodeId} and approved_ms is not null and state not in ('discarded', 'rolled-back')
    union all
    select 'strategy', started_ms from strategy where station_node_id = ${stationNodeId} and started_ms is not null
    order by at limit 1`.execute(db)
  return rows[0]
}
