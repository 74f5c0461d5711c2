import type { DeviceKind } from '@isotherm/contract/devices'
import type { GroupMode, OutageRule } from '@isotherm/contract/irrigation'
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

/** A source of irrigation at a place, which its name identifies there. */
export interface SourceRow {
  readonly sheet: 'irrigation-sources'
  /** Names from the project down. */
  readonly place: readonly string[]
  readonly source: string
  /** Serials. */
  readonly controller: string | null
  readonly master: string | null
  /** Serials of its sensors; absent in a row that a release without them read. */
  readonly flowMeter?: string | null
  readonly inletSensor?: string | null
  readonly outletSensor?: string | null
  readonly rainSensor?: string | null
  readonly capacityM3H: number | null
  readonly dailyBudgetM3: number | null
  readonly leadS: number | null
  readonly lagS: number | null
  readonly groupDelayS: number | null
  readonly leakM3H: number | null
  readonly leakS: number | null
  readonly leakBlocks: boolean | null
  readonly dryRunS: number | null
  readonly minInletKpa: number | null
  readonly longitude: number | null
  readonly latitude: number | null
  /** Absent in a row that a release without it read. */
  readonly altitudeM?: number | null
  readonly afterOutage: OutageRule | null
}

/** A valve of a group, with its flow, m³/h, and its longest time at a stretch, s. */
export interface ValveCell {
  readonly serial: string
  readonly flowM3H: number
  readonly maxS: number
}

/** An irrigation group of a source, which its name identifies there. */
export interface GroupRow {
  readonly sheet: 'irrigation-groups'
  readonly place: readonly string[]
  readonly source: string
  readonly group: string
  readonly mode: GroupMode | null
  readonly valves: readonly ValveCell[] | null
  readonly wetPct: number | null
  /** Serials of its soil probes; absent in a row that a release without them read. */
  readonly probes?: readonly string[] | null
}

export type IrrigationRow = SourceRow | GroupRow

export type ParsedRow = StructureRow | DeviceRow | ModelRow | PipeRow | IrrigationRow
