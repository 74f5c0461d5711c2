import { sortByName } from '@isotherm/kernel/chinese-numerals'
import { createRandom, type Random } from '@isotherm/kernel/random'
import { toAreaName, toCompanyName, toDistrictName, toStationName } from './names.ts'

/** How the buildings of a residential area are built: storeys, and flats on each storey of a unit. */
export interface BuildingForm {
  readonly floors: number
  readonly doors: number
}

/** A residential area (小区) of so many households. What stands in it follows from its seed. */
export interface AreaPlan {
  readonly name: string
  readonly households: number
  readonly seed: number
  readonly form: BuildingForm
  readonly numerals: 'digits' | 'chinese'
  /** Whether every flat has a valve of its own. */
  readonly hasFlatValves: boolean
  /** Whether room sensors have radios of their own instead of speaking through the building's concentrator. */
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

/** Share of the residential areas whose buildings are of each form; six storeys without a lift are the most. */
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

/** A residential area has 150 to 900 households; a smaller rest goes to the one before it. */
const AREA_HOUSEHOLDS = [150, 900] as const
/** A station heats one to four of them, about 1,200 households. */
const AREAS_PER_STATION = [1, 4] as const
const STATIONS_PER_DISTRICT = [16, 32] as const
const DISTRICTS_PER_SUBSIDIARY = [3, 6] as const

/** A whole number from `low` to `high`. */
export const drawWhole = (random: Random, [low, high]: readonly [number, number]): number =>
  low + Math.floor(random() * (high - low + 1))

function drawForm(random: Random): BuildingForm {
  let left = random()
  for (const { floors, doors, share } of FORMS) {
    left -= share
    if (left < 0) return { floors, doors }
  }
  return { floors: 6, doors: 2 }
}

function drawArea(random: Random, index: number, households: number): AreaPlan {
  return {
    name: toAreaName(index),
    households,
    seed: Math.floor(random() * 2 ** 32),
    form: drawForm(random),
    numerals: random() < CHINESE_NUMERALS_SHARE ? 'chinese' : 'digits',
    hasFlatValves: random() < FLAT_VALVES_SHARE,
    hasRadioSensors: random() < RADIO_SENSORS_SHARE,
  }
}

function drawAreas(random: Random, households: number): readonly AreaPlan[] {
  const areas: AreaPlan[] = []
  for (let left = households; left > 0; ) {
    const drawn = drawWhole(random, AREA_HOUSEHOLDS)
    const size = left - drawn < AREA_HOUSEHOLDS[0] ? left : drawn
    areas.push(drawArea(random, areas.length, size))
    left -= size
  }
  return areas
}

/** The items in runs of drawn lengths. */
function cut<Item>(
  random: Random,
  items: readonly Item[],
  lengths: readonly [number, number],
): readonly (readonly Item[])[] {
  const runs: (readonly Item[])[] = []
  for (let start = 0; start < items.length; ) {
    const length = drawWhole(random, lengths)
    runs.push(items.slice(start, start + length))
    start += length
  }
  return runs
}

/**
 * The groups of a company with so many households: subsidiaries with their operating areas, stations and
 * residential areas, siblings in the order of the tree. The same seed gives the same.
 */
export function planCompany(households: number, seed: number): readonly SubsidiaryPlan[] {
  const random = createRandom(seed)
  const stations = cut(random, drawAreas(random, households), AREAS_PER_STATION).map((areas, index) => ({
    name: toStationName(index),
    areas: sortByName(areas, ({ name }) => name),
  }))
  const districts = cut(random, stations, STATIONS_PER_DISTRICT).map((below) =>
    sortByName(below, ({ name }) => name),
  )
  const subsidiaries = cut(random, districts, DISTRICTS_PER_SUBSIDIARY).map((below, index) => ({
    name: toCompanyName(index),
    districts: sortByName(
      below.map((each, place) => ({ name: toDistrictName(place), stations: each })),
      ({ name }) => name,
    ),
  }))
  return sortByName(subsidiaries, ({ name }) => name)
}
