import type { GroundPosition } from '@isotherm/kernel/gcj02'
import { createTown, type MadeTown, type TownArea } from '@isotherm/kernel/made-town'
import { createRandom } from '@isotherm/kernel/random'
import { createEquipment, type Equipment, type MadeDevice } from './equipment.ts'
import { toBuildingName, toHouseholdName, toUnitName } from './names.ts'
import { type AreaPlan, drawWhole, planCompany } from './plan.ts'

/** A node before it is stored. */
export interface MadeNode {
  readonly kind: 'project' | 'group' | 'sub-user' | 'address'
  readonly level: number
  readonly name: string
  /** Unique in the company. */
  readonly key: string
  /** Place among its siblings, from 0, and how many they are with itself. */
  readonly position: number
  readonly siblings: number
  /** Heated floor area of a household, m². */
  readonly areaM2?: number
  readonly stype?: string
  readonly description?: string
  readonly isTest?: boolean
  /** Where it lies on the map: stations, residential areas and buildings do. */
  readonly place?: GroundPosition
  readonly devices: readonly MadeDevice[]
}

export interface CompanyOrder {
  readonly households: number
  /** Decides everything that is drawn. */
  readonly seed: number
}

export const COMPANY_NAME = '安居热力集团'

/** Key of the residential area with the user for tests: the first. */
const TEST_AREA = 'c1d1s1a1'
const UNITS_PER_BUILDING = [2, 5] as const
/** One station in so many is marked as subdivision. */
const SUBDIVISION_EVERY = 5
const AREA_M2 = [58, 142] as const

/** The box in which towns are made, degrees: the plains of northern China. */
const PLAINS = { west: 112, south: 36, east: 124, north: 44 } as const
/** Keeps the draw of where the town lies apart from those of the company. */
const TOWN = 6_000_000

/** A town of its own for each seed, so that two made companies do not lie on each other. */
function makeTown(seed: number): MadeTown {
  const random = createRandom(seed + TOWN)
  return createTown({
    longitudeDeg: PLAINS.west + (PLAINS.east - PLAINS.west) * random(),
    latitudeDeg: PLAINS.south + (PLAINS.north - PLAINS.south) * random(),
  })
}

/** A residential area with where it stands in the tree and in the town. */
interface AreaSite {
  readonly area: AreaPlan
  readonly key: string
  readonly at: TownArea
}

/** Households of each unit of each building, until the area has as many as planned. */
function drawBuildings(area: AreaPlan): readonly (readonly number[])[] {
  const random = createRandom(area.seed)
  const perUnit = area.form.floors * area.form.doors
  const buildings: number[][] = []
  for (let left = area.households; left > 0; ) {
    const units: number[] = []
    const wanted = drawWhole(random, UNITS_PER_BUILDING)
    for (; units.length < wanted && left > 0; left -= perUnit) units.push(Math.min(left, perUnit))
    buildings.push(units)
  }
  return buildings
}

/** A residential area's buildings with their units and households, and its user for tests if it has one. */
function* listBuildings(
  { area, key: areaKey, at }: AreaSite,
  town: MadeTown,
  equipment: Equipment,
): Generator<MadeNode> {
  const random = createRandom(area.seed + 1)
  const { doors } = area.form
  const buildings = drawBuildings(area)
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
          areaM2: drawWhole(random, AREA_M2),
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
 * A heating company with so many households, node by node from the project down, siblings in the order of the
 * tree. Nothing but the plan of its groups is kept in memory. The same order gives the same company. One
 * residential area has the user for tests.
 */
export function* listCompany({ households, seed }: CompanyOrder): Generator<MadeNode> {
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
