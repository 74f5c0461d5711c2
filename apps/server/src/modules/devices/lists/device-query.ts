import type { Device, DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import type { Scope } from '../../../platform/scope/scope.ts'

/** A device without what depends on who looks. */
export type StoredDevice = Omit<Device, 'abilities'>

/** What is said of a device beside each of many rows. */
export type DeviceLabel = Pick<StoredDevice, 'id' | 'imei' | 'name' | 'nestaddr'>

/** Which devices; what is absent restricts nothing. */
export interface DeviceSelectionQuery {
  readonly paths: readonly string[]
  readonly kinds?: readonly DeviceKind[] | undefined
  readonly use?: DeviceUse | undefined
  /** A part of the name, serial, IMEI or meter number. */
  readonly text?: string | undefined
  /** On the fields of device-rows.pg.ts. */
  readonly filter?: readonly FilterItem[] | undefined
  /** No others than these. */
  readonly ids?: readonly number[] | undefined
}

/** By a field of device-rows.pg.ts; devices without it come last either way. */
export interface ColumnOrder {
  readonly column: string
  readonly desc: boolean
}

export interface DeviceQuery extends DeviceSelectionQuery {
  readonly limiter: Limiter
  /** That of the tree unless another is asked for. */
  readonly order?: ColumnOrder | undefined
}

/** The stored registry of devices. */
export interface DeviceStore {
  /** A page and the count of all. Throws filter.unknown-field, filter.bad-pattern and filter.too-wide. */
  list(scope: Scope, query: DeviceQuery): Promise<{ readonly rows: StoredDevice[]; readonly total: number }>
  listIds(scope: Scope, query: DeviceQuery): Promise<{ readonly ids: number[]; readonly total: number }>
  /** As listIds, without the count. */
  listFirstIds(scope: Scope, query: DeviceQuery): Promise<readonly number[]>
  /** Those of `ids` the scope covers, in no order. */
  find(scope: Scope, ids: readonly number[]): Promise<StoredDevice[]>
  /** Of those of `ids` that there are, whoever asks, in no order. */
  listLabels(ids: readonly number[]): Promise<DeviceLabel[]>
  /** Those that go by one of the serials or IMEIs, whichever company's, in no order. */
  findNamed(scope: Scope, names: readonly string[]): Promise<StoredDevice[]>
  /** Whether any device of a company, of the one a path lies in, or of all goes by this serial or IMEI; not which. */
  isTaken(
    name: string,
    where: { readonly companyId?: number | undefined; readonly path?: string | undefined },
  ): Promise<boolean>
  /** Devices in use that the scope covers below each path, by path. */
  count(scope: Scope, paths: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Ids of the station controllers in use on each of the nodes that have any, in their order, whoever asks. */
  listControllers(nodeIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>
}
