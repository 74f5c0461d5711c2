import type { DeviceKind } from '@isotherm/contract/devices'
import type { ReadingMapping } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { PipeMaterial } from '@isotherm/contract/network/pipes'
import type { RowVerdict, TransferKind, TransferSheet, TransferState } from '@isotherm/contract/transfer'
import type { ValveCharacteristic } from '@isotherm/contract/valve-characteristic'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { IrrigationRow } from '../sheets/parsed-rows.ts'

/** An import of one file into a company; docs/specs/transfer.md. */
export interface TransferTable {
  id: GeneratedAlways<number>
  kind: Generated<TransferKind>
  account_id: number
  company_id: number | null
  file_name: string
  size_bytes: Generated<number>
  state: TransferState
  dry_run: Generated<boolean>
  /** Entry of the operation log that all its changes belong to. */
  operation_id: number | null
  done: Generated<number>
  total: Generated<number>
  added: Generated<number>
  changed: Generated<number>
  unchanged: Generated<number>
  failed: Generated<number>
  /** Why the import failed as a whole: a reason code and the parameters of its text. */
  fault: string | null
  fault_params: Generated<string>
  /** The replica that runs the import, and the end of its lease. */
  worker: string | null
  lease_until: Date | null
  attempts: Generated<number>
  /** JSON: what the columns of a file of readings mean. */
  mapping: ColumnType<ReadingMapping | null, string | null | undefined, string | null>
  /** Last row of a file of readings whose batch is done. */
  resume_row: Generated<number>
  created_at: Date
  version: Generated<number>
}

export interface TransferRowTable {
  transfer_id: number
  sheet: TransferSheet
  row: number
  /** JSON: cell texts by column. */
  cells: string
  subject: string
  verdict: RowVerdict | null
  reason: string | null
  /** JSON. */
  reason_params: Generated<string>
  is_stored: Generated<boolean>
}

/** A place that rows refer to, or an ancestor of one. */
export interface TransferNodeTable {
  transfer_id: number
  /** Names from the project down, comma-joined. */
  place: string
  depth: number
  parent: string | null
  name: string
  /** null if only rows of devices or pipes refer to it. */
  level: number | null
  /** The structure row of this place. */
  row: number | null
  area_m2: number | null
  stype: string | null
  description: string | null
  is_test: boolean | null
  longitude_deg: number | null
  latitude_deg: number | null
  emitter: Generated<EmitterKind | null>
  /** The existing node at this place. */
  node_id: number | null
  /** Version of the node at the time of the check. */
  node_version: number | null
  /** Versions of its subdivision and its place on the map at the time of the check; 0 if there was none. */
  mark_version: Generated<number>
  gis_version: Generated<number>
  /** Whether the account may change the existing node, or add a node here. */
  is_open: Generated<boolean>
  /** Whether a valid row needs this place. */
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
  characteristic: ColumnType<ValveCharacteristic | null, string | null | undefined, string | null>
  description: string | null
  /** Version of the device with this serial at the time of the check. */
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
  /** Version of the existing pipe at the time of the check. */
  pipe_version: number | null
}

/** A row of irrigation: a source, or a group of one. */
export interface TransferIrrigationTable {
  transfer_id: number
  sheet: IrrigationRow['sheet']
  row: number
  /** JSON. */
  parsed: ColumnType<IrrigationRow, string, string>
  place: string
  source: string
  /** Name of the group; empty for a source. */
  name: string
  /** Version of the source or group at the time of the check. */
  version: number | null
}

/** Failed rows of a file of readings with the same cause. */
export interface TransferCauseTable {
  transfer_id: number
  reason: string
  rows: number
  /** JSON: parameters of the first one. */
  params: string
  is_same: boolean
  first: number[]
}

/** A failed row of a file of readings. */
export interface TransferFailedTable {
  transfer_id: number
  row: number
  /** JSON: cell texts in the order of the columns. */
  cells: string
  reason: string
  params: string
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    transfer: TransferTable
    transfer_file: { transfer_id: number; part: number; bytes: Buffer }
    transfer_cause: TransferCauseTable
    transfer_failed: TransferFailedTable
    transfer_row: TransferRowTable
    transfer_node: TransferNodeTable
    transfer_device: TransferDeviceTable
    transfer_model: TransferModelTable
    transfer_pipe: TransferPipeTable
    transfer_irrigation: TransferIrrigationTable
  }
}
