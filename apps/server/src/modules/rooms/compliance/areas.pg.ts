import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'

/** Areas of the homes of devices, m², by device. A home without an area is absent. */
export async function readAreas(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<{ ids: number[] | null; areas: number[] | null }>`
    select array_agg(device.id) as ids, array_agg(node.area_m2::float8) as areas
    from device join node on node.id = device.node_id
    where device.id = any(${[...deviceIds]}::bigint[]) and node.area_m2 > 0`.execute(db)
  const { ids, areas } = rows[0] ?? { ids: null, areas: null }
  return new Map((ids ?? []).map((id, at) => [Number(id), areas?.[at] ?? 0]))
}
