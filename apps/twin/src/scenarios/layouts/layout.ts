import type { GroundPosition } from '@isotherm/kernel/gcj02'
import type { PlaceSpec, TestUserSpec, WateringSpec } from '../scenario.ts'

/** A flat without its physical properties. */
export interface FlatLayout {
  readonly key: string
  readonly name: string
  /** Storey from 1. */
  readonly floor: number
  readonly floors: number
  /** From a registry, m²; sampled if absent. */
  readonly areaM2: number | undefined
  readonly roomSensor: string | undefined
}

/** A staircase. */
export interface UnitLayout {
  readonly key: string
  readonly name: string
  readonly valveSerial: string
  /** Whether its valve has its own link instead of the station's concentrator. */
  readonly hasOwnLink: boolean
  /** At the end of the building, with a gable wall. */
  readonly isEnd: boolean
  readonly flats: readonly FlatLayout[]
}

export interface BuildingLayout {
  readonly key: string
  readonly name: string
  readonly meter: { readonly serial: string; readonly meterNo: string } | undefined
  readonly units: readonly UnitLayout[]
}

/** Buildings along one street main. */
export interface AreaLayout {
  readonly key: string
  readonly buildings: readonly BuildingLayout[]
}

export interface StationLayout {
  readonly key: string
  readonly name: string
  readonly concentratorSerial: string
  readonly concentratorImei: string
  readonly stationSerial: string
  readonly areas: readonly AreaLayout[]
  /** Set in a pump house for irrigation, where groups of valves take the place of buildings with units. */
  readonly watering?: Omit<WateringSpec, 'places'>
}

/** Structure of a company. Properties of pipes, walls and valves are sampled from a seed. */
export interface CompanyLayout {
  readonly tenant: string
  readonly companyName: string
  readonly timeZone: string
  readonly places: readonly PlaceSpec[]
  readonly testUser: TestUserSpec | undefined
  readonly stations: readonly StationLayout[]
  /** Map positions of some nodes, by key. */
  readonly grounds: ReadonlyMap<string, GroundPosition>
}
