import type { PumpCurve } from '@isotherm/hydraulics/elements/pump'
import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import type { PipeSpec } from '@isotherm/hydraulics/tree/tree-network'
import type { GroundPosition } from '@isotherm/kernel/gcj02'
import type { KilogramPerSecond, Metre, OpeningRatio, Resistance } from '@isotherm/kernel/quantities'
import type { Building } from '@isotherm/thermal/households/building'
import type { Emitter } from '@isotherm/thermal/households/emitter'
import type { HeatExchanger } from '@isotherm/thermal/station/heat-exchanger'
import type { HeatingCurve } from '@isotherm/thermal/station/weather-compensation'
import type { Fault } from '../faults/fault.ts'
import type { Firmware } from './firmware.ts'
import type { WeatherSpec } from './weather-spec.ts'

/** One flat: its walls, what heats it, and its share of the unit's flow (shares of a unit sum to 1). */
export interface HouseholdSpec {
  readonly key: string
  readonly name: string
  /** Storey from 1; flats of neighbouring storeys share a slab. */
  readonly floor: number
  readonly areaM2: number
  readonly building: Building
  readonly emitter: Emitter
  readonly flowShare: number
  /** Internal and solar gains relative to the usual. */
  readonly gainFactor: number
  readonly roomSensor: string | undefined
}

export type Emitters = 'radiators' | 'floor'

/** A staircase with one motor valve at its inlet; in irrigation a branch pipe without households. */
export interface UnitSpec {
  readonly key: string
  readonly name: string
  readonly valveSerial: string
  /** Its valve has an NB-IoT radio and is a client of the broker itself; its serial is the radio's IMEI. */
  readonly hasOwnLink: boolean
  readonly valve: ValveCharacteristic
  readonly valveModel: string
  /** Whether its valve measures flow; else it knows temperatures only. */
  readonly measuresFlow: boolean
  readonly emitters: Emitters
  /** Index of the pipe that ends at its inlet. */
  readonly node: number
  readonly circuit: Resistance
  readonly designFlow: KilogramPerSecond
  readonly startOpening: OpeningRatio
  /** Time of a full stroke, s. */
  readonly strokeS: number
  readonly backlash: OpeningRatio
  readonly households: readonly HouseholdSpec[]
}

/** A building, with its heat meter at the branch's end if it has one. */
export interface BuildingSpec {
  readonly key: string
  readonly name: string
  readonly area: string
  /** Serial by which it speaks and the number printed on it. */
  readonly meter: { readonly serial: string; readonly meterNo: string } | undefined
  /** Index of the pipe that ends at its inlet. */
  readonly node: number
  /** Indices into the station's units. */
  readonly units: readonly number[]
}

/** A pipe's heat side, beside its hydraulics. */
export interface PipeHeat {
  readonly wall: Metre
  readonly lossWMK: number
}

/** A main that joins two nodes of the tree: while its valve is open, water can come from either side. */
export interface LoopSpec {
  /** Indices of the pipes that end at its ends; SOURCE for the station. */
  readonly from: number
  readonly to: number
  readonly pipe: Omit<PipeSpec, 'parent'>
  readonly heat: PipeHeat
  readonly isOpen: boolean
}

/** How a heat station warms its water. */
export interface HeatingSpec {
  readonly curve: HeatingCurve
  /** Between the primary network and the water of the station, and the primary flow with its valve fully open. */
  readonly exchanger: HeatExchanger
  readonly mostPrimary: KilogramPerSecond
}

/** How a pump house waters the ground. */
export interface WateringSpec {
  /** What each unit's sprinklers water, in the order of the units. */
  readonly places: readonly {
    readonly areaM2: number
    /** Water in the ground as the season begins, share of its volume. */
    readonly startMoisture: number
    /** Whether the valve has a probe in the ground. */
    readonly hasProbe: boolean
  }[]
}

/** A heat station with everything behind it; its concentrator is the one MQTT client for all of that. */
export interface StationSpec {
  readonly key: string
  readonly name: string
  readonly concentratorSerial: string
  /** Of the concentrator's radio; it speaks by its serial. */
  readonly concentratorImei: string
  readonly stationSerial: string
  readonly pump: PumpCurve
  readonly pumpSpeed: number
  /** What warms its water; nothing in a pump house for irrigation, whose pipes lead one way. */
  readonly heating: HeatingSpec | undefined
  /** What a pump house waters; nothing where there is heating. It has a master valve and a rain gauge. */
  readonly watering: WateringSpec | undefined
  readonly pipes: readonly PipeSpec[]
  readonly pipeHeat: readonly PipeHeat[]
  /** Mains that make the tree a mesh; usually none. */
  readonly loops: readonly LoopSpec[]
  readonly buildings: readonly BuildingSpec[]
  readonly units: readonly UnitSpec[]
}

/** A named place of the company's tree above the buildings, parents first. */
export interface PlaceSpec {
  readonly key: string
  readonly parent: string | null
  readonly level: number
  readonly name: string
  /** What people should know of it. */
  readonly description?: string
  /** Subdivision type; the tree collapses s after loading. */
  readonly stype?: string
}

/** The sub-user that exists for testing: no addresses and no devices of its own. */
export interface TestUserSpec {
  readonly key: string
  /** Key of the residential area it stands in. */
  readonly area: string
  readonly name: string
}

/** A heating company: what stands where, and the physics of it. The same seed gives the same company. */
export interface Scenario {
  readonly name: string
  readonly seed: number
  readonly tenant: string
  readonly companyName: string
  readonly timeZone: string
  readonly places: readonly PlaceSpec[]
  /** Where nodes lie on the map, by key; of some or none. */
  readonly grounds: ReadonlyMap<string, GroundPosition>
  readonly testUser: TestUserSpec | undefined
  readonly stations: readonly StationSpec[]
  readonly weather: WeatherSpec
  readonly firmware: Firmware
  /** What is wrong, and from when until when. README.md lists the demo's. */
  readonly faults: readonly Fault[]
}
