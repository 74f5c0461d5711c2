import type { Limiter } from '@isotherm/contract/filter'
import type { RoomVisit, VisitResult } from '@isotherm/contract/rooms/room-visit'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isDeviceBelow } from '../../../platform/scope/scope.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { toNodeKey } from '../../network/index.ts'
import { toPatterns } from '../store/find-rooms.pg.ts'
import type {} from '../tables.ts'

interface Row extends Omit<RoomVisit, 'node' | 'sensorC' | 'result' | 'requestedAt'> {
  readonly requestedAt: Date
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly sensorC: number | null
  readonly result: VisitResult | null
}

const toVisit = ({ nodeId, uuid, address, requestedAt, sensorC, result, ...visit }: Row): RoomVisit => ({
  ...visit,
  node: toNodeKey({ id: nodeId, uuid, address }),
  requestedAt: requestedAt.getTime(),
  ...(sensorC === null ? {} : { sensorC }),
  ...(result === null ? {} : { result }),
})

const columns = sql`visit.id as visit, visit.device_id as "deviceId", visit.requested_at as "requestedAt", visit.resident,
  visit.phone, visit.complaint, visit.created_by as "createdBy", visit.sensor_c as "sensorC", visit.result, visit.version,
  node.id as "nodeId", node.uuid::text as uuid, node.address, node.nestaddr`
const placed = sql`room_visit visit join device on device.id = visit.device_id join node on node.id = device.node_id`

export interface VisitQuery {
  readonly paths: readonly string[]
  /** Whether a result is missing; undefined for all. */
  readonly isOpen?: boolean | undefined
  /** Words of the address, the resident, the phone or the complaint. */
  readonly text: string
  readonly limiter: Limiter
}

/** Visits below paths: open ones with the oldest request first, then those with the newest. */
export async function listVisits(db: Database, { paths, isOpen, text, limiter }: VisitQuery) {
  const state =
    isOpen === undefined ? sql`true` : isOpen ? sql`visit.result is null` : sql`visit.result is not null`
  const about = sql`node.nestaddr || ' ' || visit.resident || ' ' || visit.phone || ' ' || visit.complaint`
  const matching = sql`${isDeviceBelow(paths)} and ${state} and ${about} ilike all(${toPatterns(text)}::text[])`
  const { rows } = await sql<Row>`
    select ${columns} from ${placed} where ${matching}
    order by visit.result is not null, case when visit.result is null then visit.requested_at end,
      visit.requested_at desc, visit.id
    limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  const total = await toTotal(limiter, rows.length, async () => {
    const counted = await sql<{ total: number }>`
      select count(*) as total from ${placed} where ${matching}`.execute(db)
    return counted.rows[0]?.total ?? 0
  })
  return { datalist: rows.map(toVisit), total }
}

export async function findVisit(
  db: Database,
  deviceId: number,
  visit: number,
): Promise<RoomVisit | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from ${placed} where visit.id = ${visit} and visit.device_id = ${deviceId}`.execute(db)
  return rows[0] && toVisit(rows[0])
}

export async function insertVisit(
  transaction: Transaction<Tables>,
  visit: Pick<RoomVisit, 'deviceId' | 'requestedAt' | 'resident' | 'phone' | 'complaint' | 'createdBy'> & {
    readonly sensorC: number | undefined
  },
): Promise<number> {
  const { id } = await transaction
    .insertInto('room_visit')
    .values({
      device_id: visit.deviceId,
      requested_at: new Date(visit.requestedAt),
      resident: visit.resident,
      phone: visit.phone,
      complaint: visit.complaint,
      created_by: visit.createdBy,
      sensor_c: visit.sensorC ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores the result of a visit. */
export async function storeResult(
  transaction: Transaction<Tables>,
  visit: number,
  result: VisitResult,
  sensorC: number | undefined,
): Promise<void> {
  await transaction
    .updateTable('room_visit')
    .set({ result: JSON.stringify(result), ...(sensorC === undefined ? {} : { sensor_c: sensorC }) })
    .where('id', '=', visit)
    .execute()
}
