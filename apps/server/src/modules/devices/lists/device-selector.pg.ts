import type { DeviceKind } from '@isotherm/contract/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { devicePath, isDeviceInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { matching, withSearchLimits } from './device-conditions.pg.ts'
import {
  type DeviceSource,
  findDevices,
  listDeviceIds,
  listFirstDeviceIds,
  narrowText,
} from './device-lists.pg.ts'
import type { ColumnOrder, StoredDevice } from './device-query.ts'
import { deviceFields, isInUse } from './device-rows.pg.ts'

/** A selection of devices in use. */
export interface DeviceSelection {
  /** From NetworkService.resolveNodes. */
  readonly paths: readonly string[]
  readonly kinds: readonly DeviceKind[]
  /** Conditions on the columns of a device, see isDeviceColumn. */
  readonly filter: readonly FilterItem[]
  /** Only these devices. */
  readonly ids?: readonly number[] | undefined
  /** Part of the name or of a number. */
  readonly text?: string | undefined
}

/** Whether the database can filter and order devices by this column. */
export const isDeviceColumn = (name: string): boolean => Object.hasOwn(deviceFields, name)

/** A longer list of ids is refused. */
const MAX_LISTED = 100_000

async function listMatching(
  { db, countBelow }: DeviceSource,
  scope: Scope,
  selection: DeviceSelection,
): Promise<readonly number[]> {
  const rows = await withSearchLimits(db, selection, async (bounded) => {
    const narrowed = await narrowText({ db: bounded, countBelow }, selection)
    return matching(bounded, scope, { ...narrowed, use: 'in-use' })
      .select('device.id')
      .limit(MAX_LISTED + 1)
      .execute()
  })
  if (rows.length > MAX_LISTED) throw new AppError('filter.too-wide')
  return rows.map(({ id }) => id)
}

/** The node that a device is on, as the tree shows it. */
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

/** Selects the devices whose newest values are read: devices in use that the scope covers. */
export interface DeviceSelector {
  /** Ids of one page of the selection, in tree order unless `order` is given, and the number of all. */
  select(
    scope: Scope,
    selection: DeviceSelection,
    page: { readonly order?: ColumnOrder | undefined; readonly limiter: Limiter },
  ): Promise<{ readonly ids: readonly number[]; readonly total: number }>
  /** As select, without the number of all, which takes longer. */
  listFirst(
    scope: Scope,
    selection: DeviceSelection,
    page: { readonly order?: ColumnOrder | undefined; readonly limiter: Limiter },
  ): Promise<readonly number[]>
  /** Ids of the whole selection, in no order. Throws filter.too-wide above 100,000. */
  listMatching(scope: Scope, selection: DeviceSelection): Promise<readonly number[]>
  /** Those of `ids` that exist, in no order. */
  find(scope: Scope, ids: readonly number[]): Promise<readonly StoredDevice[]>
  /** The nodes that devices are on, by device id. */
  findPlaces(scope: Scope, ids: readonly number[]): Promise<ReadonlyMap<number, DevicePlace>>
  /** Those of `ids` that have one of the kinds, ascending. */
  listOfKinds(
    scope: Scope,
    query: { readonly ids: readonly number[]; readonly kinds: readonly DeviceKind[] },
  ): Promise<readonly PlacedDevice[]>
}

export const createDeviceSelector = (source: DeviceSource): DeviceSelector => ({
  find: (scope, ids) => findDevices(source.db, scope, ids),
  select: (scope, selection, page) => listDeviceIds(source, scope, { ...selection, use: 'in-use', ...page }),
  listFirst: (scope, selection, page) =>
    listFirstDeviceIds(source, scope, { ...selection, use: 'in-use', ...page }),
  listMatching: (scope, selection) => listMatching(source, scope, selection),
  findPlaces: (scope, ids) => findPlaces(source.db, scope, ids),
  listOfKinds: (scope, query) => listOfKinds(source.db, scope, query),
})
