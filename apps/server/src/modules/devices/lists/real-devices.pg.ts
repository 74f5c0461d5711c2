import type { DeviceKind } from '@isotherm/contract/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { devicePath, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { matching, withinLook } from './device-conditions.pg.ts'
import type { ColumnOrder, DeviceStore, StoredDevice } from './device-query.ts'
import { deviceFields, isInUse } from './device-rows.pg.ts'

/** Which devices of a scope. */
export interface DeviceSelection {
  /** Of NetworkService.resolveNodes. */
  readonly paths: readonly string[]
  readonly kinds: readonly DeviceKind[]
  /** On the columns of a device, see isDeviceColumn. */
  readonly filter: readonly FilterItem[]
  /** No others than these. */
  readonly ids?: readonly number[] | undefined
}

/** Whether a device may be filtered and ordered by it in the database. */
export const isDeviceColumn = (name: string): boolean => Object.hasOwn(deviceFields, name)

/** So many ids of a selection are listed at most. */
const MOST_LISTED = 100_000

async function listMatching(
  db: Database,
  scope: Scope,
  selection: DeviceSelection,
): Promise<readonly number[]> {
  const rows = await withinLook(db, selection, (bounded) =>
    matching(bounded, scope, { ...selection, use: 'in-use' })
      .select('device.id')
      .limit(MOST_LISTED + 1)
      .execute(),
  )
  if (rows.length > MOST_LISTED) throw new AppError('filter.too-wide')
  return rows.map(({ id }) => id)
}

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

/** A device and its path. */
export interface PlacedDevice {
  readonly id: number
  readonly path: string
}

async function listOfKinds(
  db: Database,
  scope: Scope,
  { ids, kinds }: { readonly ids: readonly number[]; readonly kinds: readonly DeviceKind[] },
): Promise<readonly PlacedDevice[]> {
  const isOne = sql<SqlBool>`device.id = any(${[...ids]}::bigint[]) and device.kind = any(${[...kinds]}::text[])`
  const { rows } = await sql<PlacedDevice>`
    select device.id, ${devicePath} as path from device join node on node.id = device.node_id
    where ${isOne} and ${isInUse} and ${isDeviceInScope(scope)} order by device.id`.execute(db)
  return rows
}

/** Which devices newest values are asked of: those in use, and nothing outside the scope is ever among them. */
export interface RealDevices {
  /** Ids of a page of the devices selected, in tree order unless another is asked for, and how many they are. */
  select(
    scope: Scope,
    selection: DeviceSelection,
    page: { readonly order?: ColumnOrder | undefined; readonly limiter: Limiter },
  ): Promise<{ readonly ids: readonly number[]; readonly total: number }>
  /** Ids of the first of them, without the count of all, which takes longer. */
  listFirst(
    scope: Scope,
    selection: DeviceSelection,
    page: { readonly order?: ColumnOrder | undefined; readonly limiter: Limiter },
  ): Promise<readonly number[]>
  /** Ids of all of them, in no order. Throws filter.too-wide when they are too many. */
  listMatching(scope: Scope, selection: DeviceSelection): Promise<readonly number[]>
  /** Those of `ids` that are there, in no order. */
  find(scope: Scope, ids: readonly number[]): Promise<readonly StoredDevice[]>
  /** Where devices stand, by id. */
  findPlaces(scope: Scope, ids: readonly number[]): Promise<ReadonlyMap<number, DevicePlace>>
  /** Those of `ids` that are of the kinds, ascending. */
  listOfKinds(
    scope: Scope,
    asked: { readonly ids: readonly number[]; readonly kinds: readonly DeviceKind[] },
  ): Promise<readonly PlacedDevice[]>
}

export const createRealDevices = (
  db: Database,
  store: Pick<DeviceStore, 'find' | 'listIds' | 'listFirstIds'>,
): RealDevices => ({
  find: (scope, ids) => store.find(scope, ids),
  select: (scope, selection, page) => store.listIds(scope, { ...selection, use: 'in-use', ...page }),
  listFirst: (scope, selection, page) => store.listFirstIds(scope, { ...selection, use: 'in-use', ...page }),
  listMatching: (scope, selection) => listMatching(db, scope, selection),
  findPlaces: (scope, ids) => findPlaces(db, scope, ids),
  listOfKinds: (scope, asked) => listOfKinds(db, scope, asked),
})
