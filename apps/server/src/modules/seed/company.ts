import type { GroundPosition } from '@isotherm/kernel/gcj02'
import { createTown, type GeneratedTown, type TownArea } from '@isotherm/kernel/generated-town'
import { createRandom } from '@isotherm/kernel/random'
import { createEquipment, type Equipment, type GeneratedDevice } from './equipment.ts'
import { toBuildingName, toHouseholdName, toUnitName } from './names.ts'
import { type AreaPlan, planCompany, sampleInteger } from './plan.ts'

/** A node before it is stored. */
export interface GeneratedNode {
  readonly kind: 'project' | 'group' | 'sub-user' | 'address'
  readonly level: number
  readonly name: string
  /** Unique in the company. */
  readonly key: string
  /** Index among its siblings, from 0, and the number of siblings including itself. */
  readonly position: number
  readonly siblings: number
  /** Heated floor area of a household, m². */
  readonly areaM2?: number
  readonly stype?: string
  readonly description?: string
  readonly isTest?: boolean
  /** Place on the map, for stations, residential areas and buildings. */
  readonly place?: GroundPosition
  readonly devices: readonly GeneratedDevice[]
}

export interface CompanyOrder {
  readonly households: number
  /** Seed of all random values. */
  readonly seed: number
}

export const COMPANY_NAME = '安居热力集团'

/** Key of the residential area with the test-marked user: the first one. */
const TEST_AREA = 'c1d1s1a1'
const UNITS_PER_BUILDING = [2, 5] as const
/** Every n-th station is marked as a subdivision. */
const SUBDIVISION_EVERY = 5
const AREA_M2 = [58, 142] as const

/** The box in which towns are generated, degrees: the plains of northern China. */
const PLAINS = { west: 112, south: 36, east: 124, north: 44 } as const
/** Offset of the seed for the town, so that its random values are independent of the company's. */
const TOWN_SEED_OFFSET = 6_000_000

/** Each seed gives another town, so that two generated companies do not overlap on the map. */
function makeTown(seed: number): GeneratedTown {
  const random = createRandom(seed + TOWN_SEED_OFFSET)
  return createTown({
    longitudeDeg: PLAINS.west + (PLAINS.east - PLAINS.west) * random(),
    latitudeDeg: PLAINS.south + (PLAINS.north - PLAINS.south) * random(),
  })
}

/** A residential area with its key in the tree and its place in the town. */
interface AreaSite {
  readonly area: AreaPlan
  readonly key: string
  readonly at: TownArea
}

/** Number of households of each unit of each building, until the area has as many as planned. */
function sampleBuildings(area: AreaPlan): readonly (readonly number[])[] {
  const random = createRandom(area.seed)
  const perUnit = area.form.floors * area.form.doors
  const buildings: number[][] = []
  for (let left = area.households; left > 0; ) {
    const units: number[] = []
    const wanted = sampleInteger(random, UNITS_PER_BUILDING)
    for (; units.length < wanted && left > 0; left -= perUnit) units.push(Math.min(left, perUnit))
    buildings.push(units)
  }
  return buildings
}

/** Lists the buildings of a residential area with their units and households, and its test-marked user if it has one. */
function* listBuildings(
  { area, key: areaKey, at }: AreaSite,
  town: GeneratedTown,
  equipment: Equipment,
): Generator<GeneratedNode> {
  const random = createRandom(area.seed + 1)
  const { doors } = area.form
  const buildings = sampleBuildings(area)
  const isTestArea = areaKey === TEST_AREA
  const siblings = buildings.length + (isTestArea ? 1 : 0)
  for (const [b, units] of buildings.entries()) {
    const building = toBuildingName(b + 1, area.numerals)
    const buildingKey = `${areaKey}b${b + 1}`
    const own = equipment.ofBuilding(`${area.name}${building}`)
    const link = own[0].serial
    yield {
      kind: 'sub-user',
      level: 6,
      name: building,
      key: buildingKey,
      position: b,
      siblings,
      place: town.placeBuilding(at, b, buildings.length),
      devices: own,
    }
    for (const [u, households] of units.entries()) {
      const unitName = toUnitName(u + 1)
      const unitKey = `${buildingKey}u${u + 1}`
      yield {
        kind: 'address',
        level: 7,
        name: unitName,
        key: unitKey,
        position: u,
        siblings: units.length,
        devices: equipment.ofUnit(`${building}${unitName}`, link),
      }
      for (let flat = 0; flat < households; flat += 1) {
        const name = toHouseholdName(1 + Math.floor(flat / doors), 1 + (flat % doors))
        yield {
          kind: 'address',
          level: 8,
          name,
          key: `${unitKey}h${name}`,
          position: flat,
          siblings: households,
          areaM2: sampleInteger(random, AREA_M2),
          devices: equipment.ofHousehold(`${building}${u + 1}-${name}`, link, {
            hasValve: area.hasFlatValves,
            hasRadioSensor: area.hasRadioSensors,
          }),
        }
      }
    }
  }
  if (!isTestArea) return
  yield {
    kind: 'sub-user',
    level: 6,
    name: '测试用户',
    key: 'test',
    position: buildings.length,
    siblings,
    isTest: true,
    devices: [],
  }
}

/**
 * Generates a heating company with the given number of households, node by node from the project down, siblings in
 * tree order. Only the plan of its groups is in memory. The same order gives the same company. One residential
 * area has the test-marked user.
 */
export function* listCompany({ households, seed }: CompanyOrder): Generator<GeneratedNode> {
  const equipment = createEquipment()
  const town = makeTown(seed)
  const group = (level: number, name: string, key: string, position: number, siblings: number) =>
    ({ kind: 'group', level, name, key, position, siblings }) as const
  yield { kind: 'project', level: 1, name: COMPANY_NAME, key: 'p', position: 0, siblings: 1, devices: [] }
  let stations = 0
  const subsidiaries = planCompany(households, seed)
  for (const [c, { name: company, districts }] of subsidiaries.entries()) {
    yield { ...group(2, company, `c${c + 1}`, c, subsidiaries.length), devices: [] }
    for (const [d, district] of districts.entries()) {
      const districtKey = `c${c + 1}d${d + 1}`
      yield { ...group(3, district.name, districtKey, d, districts.length), devices: [] }
      for (const [s, { name, areas }] of district.stations.entries()) {
        const stationKey = `${districtKey}s${s + 1}`
        const total = areas.reduce((sum, area) => sum + area.households, 0)
        const station = stations
        stations += 1
        yield {
          ...group(4, name, stationKey, s, district.stations.length),
          place: town.placeStation(station),
          description: `供 ${areas.map((area) => area.name).join('、')}，${total} 户`,
          ...(stations % SUBDIVISION_EVERY === 0 ? { stype: 's' } : {}),
          devices: equipment.ofStation(name),
        }
        for (const [a, area] of areas.entries()) {
          const areaKey = `${stationKey}a${a + 1}`
          const at = { station, area: a, areas: areas.length }
          const place = town.placeArea(at)
          yield { ...group(5, area.name, areaKey, a, areas.length), place, devices: [] }
          yield* listBuildings({ area, key: areaKey, at }, town, equipment)
        }
      }
    }
  }
}
