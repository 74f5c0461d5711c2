import { sortByName } from '@isotherm/kernel/chinese-numerals'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { toAreaName, toCompanyName, toDistrictName, toStationName } from './names.ts'

/** Size of the buildings of a residential area: storeys, and flats per storey of a unit. */
export interface BuildingForm {
  readonly floors: number
  readonly doors: number
}

/** Plan of a residential area (小区). Its buildings follow from its seed. */
export interface AreaPlan {
  readonly name: string
  readonly households: number
  readonly seed: number
  readonly form: BuildingForm
  readonly numerals: 'digits' | 'chinese'
  /** Whether every flat has its own valve. */
  readonly hasFlatValves: boolean
  /** Whether room sensors have their own radio instead of the building's concentrator. */
  readonly hasRadioSensors: boolean
}

export interface StationPlan {
  readonly name: string
  readonly areas: readonly AreaPlan[]
}

export interface DistrictPlan {
  readonly name: string
  readonly stations: readonly StationPlan[]
}

export interface SubsidiaryPlan {
  readonly name: string
  readonly districts: readonly DistrictPlan[]
}

/** Share of the residential areas with each building form; six storeys without a lift are the most common. */
const FORMS: readonly (BuildingForm & { readonly share: number })[] = [
  { floors: 6, doors: 2, share: 0.45 },
  { floors: 7, doors: 2, share: 0.2 },
  { floors: 11, doors: 2, share: 0.2 },
  { floors: 18, doors: 2, share: 0.1 },
  { floors: 24, doors: 3, share: 0.05 },
]
const FLAT_VALVES_SHARE = 0.22
const RADIO_SENSORS_SHARE = 0.3
const CHINESE_NUMERALS_SHARE = 0.2

/** A residential area has 150 to 900 households; a smaller rest is added to the previous one. */
const AREA_HOUSEHOLDS = [150, 900] as const
/** A station supplies one to four areas, about 1,200 households. */
const AREAS_PER_STATION = [1, 4] as const
const STATIONS_PER_DISTRICT = [16, 32] as const
const DISTRICTS_PER_SUBSIDIARY = [3, 6] as const

/** Random integer from `low` to `high`, both included. */
export const sampleInteger = (random: Random, [low, high]: readonly [number, number]): number =>
  low + Math.floor(random() * (high - low + 1))

function sampleForm(random: Random): BuildingForm {
  let left = random()
  for (const { floors, doors, share } of FORMS) {
    left -= share
    if (left < 0) return { floors, doors }
  }
  return { floors: 6, doors: 2 }
}

function sampleArea(random: Random, index: number, households: number): AreaPlan {
  return {
    name: toAreaName(index),
    households,
    seed: Math.floor(random() * 2 ** 32),
    form: sampleForm(random),
    numerals: random() < CHINESE_NUMERALS_SHARE ? 'chinese' : 'digits',
    hasFlatValves: random() < FLAT_VALVES_SHARE,
    hasRadioSensors: random() < RADIO_SENSORS_SHARE,
  }
}

function sampleAreas(random: Random, households: number): readonly AreaPlan[] {
  const areas: AreaPlan[] = []
  for (let left = households; left > 0; ) {
    const sampled = sampleInteger(random, AREA_HOUSEHOLDS)
    const size = left - sampled < AREA_HOUSEHOLDS[0] ? left : sampled
    areas.push(sampleArea(random, areas.length, size))
    left -= size
  }
  return areas
}

/** Splits items into runs of random lengths. */
function splitRandomly<Item>(
  random: Random,
  items: readonly Item[],
  lengths: readonly [number, number],
): readonly (readonly Item[])[] {
  const runs: (readonly Item[])[] = []
  for (let start = 0; start < items.length; ) {
    const length = sampleInteger(random, lengths)
    runs.push(items.slice(start, start + length))
    start += length
  }
  return runs
}

/**
 * Plans the groups of a company with the given number of households: subsidiaries with their operating areas, stations
 * and residential areas, siblings in tree order. The same seed gives the same plan.
 */
export function planCompany(households: number, seed: number): readonly SubsidiaryPlan[] {
  const random = createRandom(seed)
  const stations = splitRandomly(random, sampleAreas(random, households), AREAS_PER_STATION).map(
    (areas, index) => ({
      name: toStationName(index),
      areas: sortByName(areas, ({ name }) => name),
    }),
  )
  const districts = splitRandomly(random, stations, STATIONS_PER_DISTRICT).map((below) =>
    sortByName(below, ({ name }) => name),
  )
  const subsidiaries = splitRandomly(random, districts, DISTRICTS_PER_SUBSIDIARY).map((below, index) => ({
    name: toCompanyName(index),
    districts: sortByName(
      below.map((each, place) => ({ name: toDistrictName(place), stations: each })),
      ({ name }) => name,
    ),
  }))
  return sortByName(subsidiaries, ({ name }) => name)
}
