import type { DeviceKind } from '@isotherm/contract/devices'
import type { EmitterKind } from '@isotherm/contract/emitters'
import type { PipeMaterial } from '@isotherm/contract/pipes'
import type { RowVerdict, TransferSheet, TransferState } from '@isotherm/contract/transfer'
import type { Generated, GeneratedAlways } from 'kysely'

/** One workbook on its way into a company; docs/specs/transfer.md. */
export interface TransferTable {
  id: GeneratedAlways<number>
  account_id: number
  company_id: number | null
  file_name: string
  size_bytes: Generated<number>
  state: TransferState
  dry_run: Generated<boolean>
  /** Entry of the operation log to which all it changes belongs. */
  operation_id: number | null
  done: Generated<number>
  total: Generated<number>
  added: Generated<number>
  changed: Generated<number>
  unchanged: Generated<number>
  failed: Generated<number>
  /** Why it failed as a whole: a reason and the values of its text. */
  fault: string | null
  fault_params: Generated<string>
  /** The replica that works on it, until when. */
  worker: string | null
  lease_until: Date | null
  attempts: Generated<number>
  created_at: Date
  version: Generated<number>
}

export interface TransferRowTable {
  transfer_id: number
  sheet: TransferSheet
  row: number
  /** JSON: the texts of its cells by column. */
  cells: string
  subject: string
  verdict: RowVerdict | null
  reason: string | null
  /** JSON. */
  reason_params: Generated<string>
  is_stored: Generated<boolean>
}

/** A place that rows name, or that lies above one they name. */
export interface TransferNodeTable {
  transfer_id: number
  /** Names from the project down, comma-joined. */
  place: string
  depth: number
  parent: string | null
  name: string
  /** null as long as only devices name it. */
  level: number | null
  /** The row that is about it. */
  row: number | null
  area_m2: number | null
  stype: string | null
  description: string | null
  is_test: boolean | null
  longitude_deg: number | null
  latitude_deg: number | null
  emitter: Generated<EmitterKind | null>
  /** The node that stands there. */
  node_id: number | null
  /** Its version when it was checked. */
  node_version: number | null
  /** That of its subdivision and of its place on the map, likewise; 0 where there was none. */
  mark_version: Generated<number>
  gis_version: Generated<number>
  /** Whether the account may change what stands there, or add it. */
  is_open: Generated<boolean>
  /** Whether a good row needs it. */
  is_wanted: Generated<boolean>
  fault: string | null
}

export interface TransferDeviceTable {
  transfer_id: number
  row: number
  serial: string
  kind: DeviceKind
  name: string | null
  model: string | null
  place: string | null
  concentrator: string | null
  period_s: number | null
  imei: string | null
  meter_no: string | null
  min_opening_pct: number | null
  max_opening_pct: number | null
  description: string | null
  /** The version of the device that had the serial when it was checked. */
  device_version: number | null
}

export interface TransferModelTable {
  transfer_id: number
  row: number
  kind: DeviceKind
  name: string
  maker: string | null
  description: string | null
}

export interface TransferPipeTable {
  transfer_id: number
  row: number
  /** Names of both ends from the project down, comma-joined. */
  from_place: string
  to_place: string
  length_m: number | null
  inner_diameter_mm: number | null
  material: PipeMaterial | null
  roughness_mm: number | null
  laid_year: number | null
  /** The version of the pipe there was when it was checked. */
  pipe_version: number | null
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    transfer: TransferTable
    transfer_file: { transfer_id: number; part: number; bytes: Buffer }
    transfer_row: TransferRowTable
    transfer_node: TransferNodeTable
    transfer_device: TransferDeviceTable
    transfer_model: TransferModelTable
    transfer_pipe: TransferPipeTable
  }
}
