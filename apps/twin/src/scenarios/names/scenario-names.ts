import type { Language } from '@isotherm/contract/locales/error-text'
import { namesEn } from './en.ts'
import { namesZh } from './zh.ts'

/** A residential area: buildings along one street main. `numerals`: script of its building numbers. */
export interface AreaNames {
  readonly name: string
  readonly buildings: number
  readonly numerals: 'digits' | 'chinese'
}

export interface StationNames {
  readonly name: string
  readonly areas: readonly AreaNames[]
  /** Subdivision type of the station. */
  readonly stype?: string
}

export interface DistrictNames {
  readonly name: string
  readonly stations: readonly StationNames[]
}

/** A greenhouse: its pump house, and its areas with their groups and the program that waters them. */
export interface NurseryNames {
  readonly name: string
  readonly pumpHouse: string
  readonly areas: readonly {
    readonly name: string
    readonly groups: readonly string[]
    readonly program: string
  }[]
}

/** The demo company: 48 buildings behind four heat stations, and a greenhouse with its pump house. All names are fictitious. */
export interface DemoNames {
  readonly group: string
  readonly company: string
  readonly testUser: string
  readonly districts: readonly DistrictNames[]
  readonly nursery: NurseryNames
}

/** All names of a scenario in one language. Names of units have no hyphen, and no name has a comma. */
export interface ScenarioNames {
  readonly demo: DemoNames
  /** Companies of the named scenarios. */
  readonly towns: Readonly<Record<'village' | 'town' | 'city' | 'park', string>>
  readonly heatingCompany: (town: string) => string
  readonly irrigationCompany: (town: string) => string
  readonly district: (number: number) => string
  readonly irrigatedDistrict: string
  readonly station: (number: number) => string
  readonly area: (station: number, number: number) => string
  readonly building: (number: number, numerals: AreaNames['numerals']) => string
  readonly unit: (number: number) => string
  readonly pumpHouse: (number: number) => string
  readonly plot: (pumpHouse: number, number: number) => string
  readonly group: (number: number) => string
  readonly branch: (number: number) => string
  /** What a station supplies. */
  readonly supplies: (areas: readonly string[], buildings: number) => string
  /** Devices, by the name of what they belong to. */
  readonly devices: {
    readonly concentrator: (station: string) => string
    readonly controller: (station: string) => string
    readonly heatMeter: (building: string) => string
    readonly controlValve: (building: string, unit: string) => string
    readonly waterValve: (group: string, branch: string) => string
    readonly roomSensor: (flat: string) => string
    readonly flowMeter: (pumpHouse: string) => string
    readonly rainGauge: (pumpHouse: string) => string
    readonly soilProbe: (group: string) => string
  }
}

export const scenarioNames: Readonly<Record<Language, ScenarioNames>> = { zh: namesZh, en: namesEn }
