import type { DeviceKind } from '@isotherm/contract/devices'
import type { Generated } from 'kysely'

export interface DeviceTable {
  id: Generated<number>
  company_id: number
  /** Unique in its company; its name on the wire. */
  serial: string
  kind: DeviceKind
  name: string
  model: string
  node_id: number
  concentrator_id: number | null
  /** Of its radio, 15 digits; unique in its company. */
  imei: string | null
  /** Printed on a heat meter; unique in its company. */
  meter_no: string | null
  period_s: number
  min_opening_pct: number | null
  max_opening_pct: number | null
  /** Rises with each command to the device. */
  command_rev: Generated<number>
}

declare module '../../platform/tables.ts' {
  interface Tables {
    device: DeviceTable
  }
}
