import type { DeviceKind } from '@isotherm/contract/devices'
import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { PipeMaterial } from '@isotherm/contract/network/pipes'
import type { ValveCharacteristic } from '@isotherm/contract/valve-characteristic'

/** One part of a place. */
export interface PlacePart {
  readonly name: string
  readonly level: number
}

export interface StructureRow {
  readonly sheet: 'structure'
  /** From the project down to the node of the row. */
  readonly parts: readonly PlacePart[]
  readonly areaM2: number | null
  readonly stype: string | null
  readonly description: string | null
  readonly isTest: boolean | null
  readonly longitudeDeg: number | null
  readonly latitudeDeg: number | null
  readonly emitter: EmitterKind | null
}

export interface DeviceRow {
  readonly sheet: 'devices'
  readonly serial: string
  readonly kind: DeviceKind
  readonly name: string | null
  readonly model: string | null
  /** Names from the project down. */
  readonly place: readonly string[] | null
  readonly concentrator: string | null
  readonly periodS: number | null
  readonly imei: string | null
  readonly meterNo: string | null
  readonly minOpeningPct: number | null
  readonly maxOpeningPct: number | null
  readonly characteristic: ValveCharacteristic | null
  readonly description: string | null
}

export interface ModelRow {
  readonly sheet: 'models'
  readonly kind: DeviceKind
  readonly name: string
  readonly maker: string | null
  readonly description: string | null
}

export interface PipeRow {
  readonly sheet: 'pipes'
  /** Names from the project down to each end. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly lengthM: number | null
  readonly innerDiameterMm: number | null
  readonly material: PipeMaterial | null
  readonly roughnessMm: number | null
  readonly laidYear: number | null
}

export type ParsedRow = StructureRow | DeviceRow | ModelRow | PipeRow
