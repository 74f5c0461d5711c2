import type { Language } from '@isotherm/contract/locales/error-text'
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

/** One flat: its walls, its emitter, and its share of the unit's flow (the shares of a unit sum to 1). */
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
  /** Whether its valve measures flow; otherwise only temperatures. */
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

/** A building, with a heat meter at the end of its branch if it has one. */
export interface BuildingSpec {
  readonly key: string
  readonly name: string
  readonly area: string
  /** Serial in its messages, and the number printed on it. */
  readonly meter: { readonly serial: string; readonly meterNo: string } | undefined
  /** Index of the pipe that ends at its inlet. */
  readonly node: number
  /** Indices into the station's units. */
  readonly units: readonly number[]
}

/** Thermal properties of a pipe. */
export interface PipeHeat {
  readonly wall: Metre
  readonly lossWMK: number
}

/** A main that joins two nodes of the tree. While its valve is open, water can come from either side. */
export interface LoopSpec {
  /** Indices of the pipes that end at its ends; SOURCE for the station. */
  readonly from: number
  readonly to: number
  readonly pipe: Omit<PipeSpec, 'parent'>
  readonly heat: PipeHeat
  readonly isOpen: boolean
}

/** Heat source of a station. */
export interface HeatingSpec {
  readonly curve: HeatingCurve
  /** Exchanger between primary and secondary network, and the primary flow with a fully open valve. */
  readonly exchanger: HeatExchanger
  readonly maxPrimaryFlow: KilogramPerSecond
}

/** A program of a pump house: its groups, one after the other, are watered from each of its starts on. */
export interface WateringProgram {
  readonly name: string
  /** Starts, minutes after midnight. */
  readonly startMinutes: readonly number[]
  /** Keys of its groups, in their order. */
  readonly groups: readonly string[]
  /** Water time of a group, s; by `cycle` in parts with a rest between them. */
  readonly runS: number
  readonly cycle?: { readonly maxS: number; readonly soakS: number }
}

/** A sensor of its own in a watered field. `unit`: index of the unit whose ground it measures. */
export type FieldSensorSpec =
  | { readonly serial: string; readonly measures: 'flow' }
  | { readonly serial: string; readonly measures: 'rain' }
  | { readonly serial: string; readonly measures: 'soil'; readonly unit: number }

/** What a pump house waters, and when. */
export interface WateringSpec {
  /** Air temperature over the ground, °C, if it is under glass: no rain reaches it. */
  readonly underGlassC?: number
  readonly programs: readonly WateringProgram[]
  /** Sensors beside those of the controller and the valves. */
  readonly sensors?: readonly FieldSensorSpec[]
  /** Area of each unit's sprinklers, in the order of the units. */
  readonly places: readonly {
    readonly areaM2: number
    /** Water in the soil at the start of the season, share of its volume. */
    readonly startMoisture: number
    /** Whether the valve has a soil probe. */
    readonly hasProbe: boolean
  }[]
}

/** A heat station with everything behind it. Its concentrator is the MQTT client for all devices without their own link. */
export interface StationSpec {
  readonly key: string
  readonly name: string
  readonly concentratorSerial: string
  /** IMEI of the concentrator's radio; its messages use the serial. */
  readonly concentratorImei: string
  readonly stationSerial: string
  readonly pump: PumpCurve
  readonly pumpSpeed: number
  /** Heat source; undefined in a pump house for irrigation, which has no return pipes. */
  readonly heating: HeatingSpec | undefined
  /** Ground of a pump house, which also has a master valve and, in the open, a rain gauge; undefined in heating. */
  readonly watering: WateringSpec | undefined
  readonly pipes: readonly PipeSpec[]
  readonly pipeHeat: readonly PipeHeat[]
  /** Mains that make the tree a mesh; usually none. */
  readonly loops: readonly LoopSpec[]
  readonly buildings: readonly BuildingSpec[]
  readonly units: readonly UnitSpec[]
}

/** A named place of the company's tree above the buildings. Lists have parents first. */
export interface PlaceSpec {
  readonly key: string
  readonly parent: string | null
  readonly level: number
  readonly name: string
  /** Remark for users. */
  readonly description?: string
  /** Subdivision type; the console collapses places of type s after loading. */
  readonly stype?: string
}

/** The sub-user for tests, without addresses and devices. */
export interface TestUserSpec {
  readonly key: string
  /** Key of its residential area. */
  readonly area: string
  readonly name: string
}

/** A heating company with its places, devices and physics. The same seed gives the same company. */
export interface Scenario {
  readonly name: string
  readonly seed: number
  /** Language of the names. */
  readonly language: Language
  readonly tenant: string
  readonly companyName: string
  readonly timeZone: string
  readonly places: readonly PlaceSpec[]
  /** Map positions of some nodes, by key. */
  readonly grounds: ReadonlyMap<string, GroundPosition>
  readonly testUser: TestUserSpec | undefined
  readonly stations: readonly StationSpec[]
  readonly weather: WeatherSpec
  readonly firmware: Firmware
  /** Faults with their times. README.md lists those of the demo. */
  readonly faults: readonly Fault[]
}
