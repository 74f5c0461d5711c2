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
  /** Place among its siblings, from 0. */
  readonly position: number
  /** Heated floor area of a household, m². */
  readonly areaM2?: number
  readonly stype?: string
  readonly description?: string
  readonly isTest?: boolean
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

/** Buildings of a residential area with their units and households, until it has as many as planned; how many. */
function* listBuildings(area: AreaPlan, areaKey: string, equipment: Equipment): Generator<MadeNode, number> {
  const random = createRandom(area.seed)
  const { floors, doors } = area.form
  let left = area.households
  let buildings = 0
  while (left > 0) {
    const position = buildings
    buildings += 1
    const number = buildings
    const building = toBuildingName(number, area.numerals)
    const buildingKey = `${areaKey}b${number}`
    const own = equipment.ofBuilding(`${area.name}${building}`)
    const link = own[0].serial
    yield { kind: 'sub-user', level: 6, name: building, key: buildingKey, position, devices: own }
    const units = drawWhole(random, UNITS_PER_BUILDING)
    for (let unit = 1; unit <= units && left > 0; unit += 1) {
      const unitName = toUnitName(unit)
      const unitKey = `${buildingKey}u${unit}`
      const devices = equipment.ofUnit(`${building}${unitName}`, link)
      yield { kind: 'address', level: 7, name: unitName, key: unitKey, position: unit - 1, devices }
      const flats = Math.min(left, floors * doors)
      for (let flat = 0; flat < flats; flat += 1) {
        const name = toHouseholdName(1 + Math.floor(flat / doors), 1 + (flat % doors))
        yield {
          ...{ kind: 'address', level: 8, name, key: `${unitKey}h${name}`, position: flat },
          areaM2: drawWhole(random, AREA_M2),
          devices: equipment.ofHousehold(`${building}${unit}-${name}`, link, {
            hasValve: area.hasFlatValves,
            hasRadioSensor: area.hasRadioSensors,
          }),
        }
      }
      left -= flats
    }
  }
  return buildings
}

/**
 * A heating company with so many households, node by node from the project down, siblings in the order of the
 * tree. Nothing but the plan of its groups is kept in memory. The same order gives the same company. One
 * residential area has the user for tests.
 */
export function* listCompany({ households, seed }: CompanyOrder): Generator<MadeNode> {
  const equipment = createEquipment()
  const group = (level: number, name: string, key: string, position: number) =>
    ({ kind: 'group', level, name, key, position }) as const
  yield { kind: 'project', level: 1, name: COMPANY_NAME, key: 'p', position: 0, devices: [] }
  let stations = 0
  for (const [c, subsidiary] of planCompany(households, seed).entries()) {
    yield { ...group(2, subsidiary.name, `c${c + 1}`, c), devices: [] }
    for (const [d, district] of subsidiary.districts.entries()) {
      const districtKey = `c${c + 1}d${d + 1}`
      yield { ...group(3, district.name, districtKey, d), devices: [] }
      for (const [s, { name, areas }] of district.stations.entries()) {
        const stationKey = `${districtKey}s${s + 1}`
        const total = areas.reduce((sum, area) => sum + area.households, 0)
        stations += 1
        yield {
          ...group(4, name, stationKey, s),
          description: `供 ${areas.map((area) => area.name).join('、')}，${total} 户`,
          ...(stations % SUBDIVISION_EVERY === 0 ? { stype: 's' } : {}),
          devices: equipment.ofStation(name),
        }
        for (const [a, area] of areas.entries()) {
          const areaKey = `${stationKey}a${a + 1}`
          yield { ...group(5, area.name, areaKey, a), devices: [] }
          const buildings = yield* listBuildings(area, areaKey, equipment)
          if (areaKey !== TEST_AREA) continue
          yield {
            ...{ kind: 'sub-user', level: 6, name: '测试用户', key: 'test', position: buildings },
            isTest: true,
            devices: [],
          }
        }
      }
    }
  }
}
