import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { ValveCharacteristic } from '@isotherm/contract/valve-characteristic'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface DeviceTable {
  id: Generated<number>
  company_id: number
  /** Unique in its company. Its name in MQTT topics and messages. */
  serial: string
  kind: DeviceKind
  name: string
  model: string
  node_id: number
  concentrator_id: number | null
  /** IMEI of its radio, 15 digits. Unique in its company. */
  imei: string | null
  /** Number printed on a heat meter. Unique in its company. */
  meter_no: string | null
  period_s: number
  min_opening_pct: number | null
  max_opening_pct: number | null
  /** Stated characteristic of a valve; written as JSON text. */
  characteristic: ColumnType<ValveCharacteristic | null, string | null | undefined, string | null>
  /** Rises with each command to the device. */
  command_rev: Generated<number>
  description: Generated<string>
  /** Last commanded opening of a valve, %, and its time. */
  last_open_set_pct: number | null
  last_open_set_at: Date | null
  /** When it went out of use; null while in use. The row and the history stay. */
  retired_at: Date | null
  /** The device that replaced it. */
  replaced_by_id: number | null
  /** Number of rotations of its password. */
  login_version: Generated<number>
  /** Whether it may not sign in to the broker until its password is rotated. */
  login_revoked: Generated<boolean>
  /** Certificates that were issued until then no longer hold; null: all hold. */
  certificates_from: Generated<Date | null>
  version: Generated<number>
}

/** A model of one kind of device. Every device has a model. */
export interface DeviceModelTable {
  id: GeneratedAlways<number>
  kind: DeviceKind
  name: string
  maker: Generated<string>
  description: Generated<string>
  /** Key of the profile by which its devices are read. */
  profile: string | null
  version: Generated<number>
}

/** A device profile that people added. */
export interface DeviceProfileTable {
  id: GeneratedAlways<number>
  /** The id inside the profile. */
  key: string
  kind: DeviceKind
  profile: ColumnType<DeviceProfile, string, string>
  version: Generated<number>
}

/** A device that controls a node: the valve of a building, the controller or a pump of a station. */
export interface ControlDeviceTable {
  id: GeneratedAlways<number>
  company_id: number
  device_id: number
  node_id: number
  purpose: 'supply' | 'return' | 'bypass' | 'pump' | 'irrigation'
  name: string
  enabled: Generated<boolean>
  version: Generated<number>
}

/** A free set of devices across the tree. */
export interface DeviceGroupTable {
  id: GeneratedAlways<number>
  company_id: number
  name: string
  description: Generated<string>
  version: Generated<number>
}

/** What a gateway reads and commands; written as JSON text. */
export interface GatewayConfigTable {
  id: GeneratedAlways<number>
  company_id: number
  device_id: number
  config: ColumnType<unknown, string, string>
  line_count: number
  device_count: number
  /** See describe-change.ts. */
  last_change: Generated<string>
  version: Generated<number>
}

declare module '../../platform/tables.ts' {
  interface Tables {
    device: DeviceTable
    device_model: DeviceModelTable
    device_profile: DeviceProfileTable
    control_device: ControlDeviceTable
    device_group: DeviceGroupTable
    gateway_config: GatewayConfigTable
    device_group_device: { device_group_id: number; device_id: number; company_id: number }
  }
}
