import type { Device, DeviceKind, DeviceUse } from '@isotherm/contract/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'

/** A device without `abilities`, which depend on the caller. */
export type StoredDevice = Omit<Device, 'abilities'>

/** The fields of a device that label a row about it. */
export type DeviceLabel = Pick<StoredDevice, 'id' | 'imei' | 'name' | 'nestaddr'>

/** A selection of devices. An absent field restricts nothing. */
export interface DeviceSelectionQuery {
  readonly paths: readonly string[]
  readonly kinds?: readonly DeviceKind[] | undefined
  readonly use?: DeviceUse | undefined
  /** Part of the name, serial, IMEI or meter number. */
  readonly text?: string | undefined
  /** Conditions on the fields of device-rows.pg.ts. */
  readonly filter?: readonly FilterItem[] | undefined
  /** Only these devices. */
  readonly ids?: readonly number[] | undefined
}

/** Order by a field of device-rows.pg.ts. Devices without a value come last in both directions. */
export interface ColumnOrder {
  readonly column: string
  readonly desc: boolean
}

export interface DeviceQuery extends DeviceSelectionQuery {
  readonly limiter: Limiter
  /** Tree order if absent. */
  readonly order?: ColumnOrder | undefined
}
