import type { DeviceKind } from '@isotherm/contract/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Database } from '../../platform/database.pg.ts'
import { toConditions, toOffset, withPatterns } from '../../platform/filter.pg.ts'
import { isDeviceBelow, isDeviceInScope } from '../../platform/scope.pg.ts'
import type { Scope } from '../../platform/scope.ts'
import { deviceFields, isInUse } from './device-rows.pg.ts'
import type { DeviceStore, StoredDevice } from './store.ts'

/** Which devices of a scope. */
export interface DeviceSelection {
  /** Of NetworkService.resolveNodes. */
  readonly paths: readonly string[]
  readonly kinds: readonly DeviceKind[]
  /** On the columns of a device, see isDeviceColumn. */
  readonly filter: readonly FilterItem[]
}

export interface ColumnOrder {
  readonly column: string
  readonly desc: boolean
}

/** Whether a device may be filtered and ordered by it in the database. */
export const isDeviceColumn = (name: string): boolean => Object.hasOwn(deviceFields, name)

/** `id` is the cheapest, for whom the order is nothing to. */
export type DeviceOrder = ColumnOrder | 'id'

const treeOrder = sql`node.company_id, node.sort_path, device.serial`

function toOrder(order: DeviceOrder | undefined) {
  if (!order) return treeOrder
  if (order === 'id') return sql`device.id`
  const field = Object.hasOwn(deviceFields, order.column) ? deviceFields[order.column] : undefined
  if (!field) throw new AppError('filter.unknown-field', { field: order.column })
  // Chinese names have the order of the tree only there; here that of their characters serves.
  return sql`${field.column} ${order.desc ? sql`desc` : sql`asc`} nulls last, ${treeOrder}`
}

const selectDeviceIds = (
  db: Database,
  scope: Scope,
  { paths, kinds, filter }: DeviceSelection,
  { order, limiter }: { readonly order?: DeviceOrder | undefined; readonly limiter?: Limiter | undefined },
): Promise<{ readonly ids: readonly number[]; readonly total: number }> =>
  withPatterns(db, filter, async (bounded) => {
    const selected = sql`
      from device join node on node.id = device.node_id
      left join device concentrator on concentrator.id = device.concentrator_id
      where ${isInUse} and ${isDeviceInScope(scope)} and ${isDeviceBelow(paths)}
        and device.kind = any(${[...kinds]}::text[]) and ${toConditions(deviceFields, filter)}`
    const page = limiter ? sql`limit ${limiter.size} offset ${toOffset(limiter)}` : sql``
    const { rows } = await sql<{ id: number }>`
      select device.id ${selected} order by ${toOrder(order)} ${page}`.execute(bounded)
    const ids = rows.map(({ id }) => id)
    if (!limiter) return { ids, total: ids.length }
    const counted = await sql<{ total: number }>`select count(*) as total ${selected}`.execute(bounded)
    return { ids, total: counted.rows[0]?.total ?? 0 }
  })

/** A node with a device on it, as the tree names it. */
export interface DevicePlace {
  readonly deviceId: number
  readonly label: string
  readonly level: number
  readonly parentids: string
}

async function findPlaces(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DevicePlace>> {
  const { rows } = await sql<DevicePlace>`
    select device.id as "deviceId", node.name as label, node.level, node.pids as parentids
    from device join node on node.id = device.node_id
    where device.id = any(${[...ids]}::bigint[]) and ${isDeviceInScope(scope)}`.execute(db)
  return new Map(rows.map((row) => [row.deviceId, row]))
}

async function listGrantedIds(
  db: Database,
  scope: Scope,
  { ids, kinds }: { readonly ids: readonly number[]; readonly kinds: readonly DeviceKind[] },
): Promise<readonly number[]> {
  const isOne = sql<SqlBool>`${isInUse} and device.id = any(${[...ids]}::bigint[]) and device.kind = any(${[...kinds]}::text[])`
  const { rows } = await sql<{ id: number }>`
    select device.id from device join node on node.id = device.node_id
    where ${isOne} and ${isInUse} and ${isDeviceInScope(scope)} order by device.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Which devices newest values are asked of: those in use, and nothing outside the scope is ever among them. */
export interface RealDevices {
  /** Ids of the devices selected, in tree order unless another is asked for; all of them without a limiter. */
  select(
    scope: Scope,
    selection: DeviceSelection,
    page: { readonly order?: DeviceOrder | undefined; readonly limiter?: Limiter | undefined },
  ): Promise<{ readonly ids: readonly number[]; readonly total: number }>
  /** Those of `ids` that are there, in no order. */
  find(scope: Scope, ids: readonly number[]): Promise<readonly StoredDevice[]>
  /** Where devices stand, by id. */
  findPlaces(scope: Scope, ids: readonly number[]): Promise<ReadonlyMap<number, DevicePlace>>
  /** Those of `ids` that are of the kinds, ascending. */
  listOfKinds(
    scope: Scope,
    asked: { readonly ids: readonly number[]; readonly kinds: readonly DeviceKind[] },
  ): Promise<readonly number[]>
}

export const createRealDevices = (db: Database, store: Pick<DeviceStore, 'find'>): RealDevices => ({
  find: (scope, ids) => store.find(scope, ids),
  select: (scope, selection, page) => selectDeviceIds(db, scope, selection, page),
  findPlaces: (scope, ids) => findPlaces(db, scope, ids),
  listOfKinds: (scope, asked) => listGrantedIds(db, scope, asked),
})
