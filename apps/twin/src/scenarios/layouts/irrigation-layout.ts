import { z } from 'zod'
import type { ScenarioNames } from '../names/scenario-names.ts'
import type { PlaceSpec } from '../scenario.ts'
import { concentratorImei } from './demo-numbers.ts'
import type { AreaLayout, BuildingLayout, CompanyLayout, StationLayout, UnitLayout } from './layout.ts'
import { toTownPositions } from './town-positions.ts'

/** Size of an irrigated company: areas per pump house, groups per area, valves per group. */
export const irrigationSize = z.object({
  pumpHouses: z.number().int().min(1).max(1000),
  areas: z.number().int().min(1).max(20),
  groups: z.number().int().min(1).max(20),
  valves: z.number().int().min(1).max(30),
})
export type IrrigationSize = z.infer<typeof irrigationSize>

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** A group of valves on branch pipes. `number`, from 1, counts the groups of the company. */
export function layOutGroup(
  number: number,
  name: string,
  valves: number,
  { branch }: ScenarioNames,
): BuildingLayout {
  const units = Array.from({ length: valves }, (_, index): UnitLayout => {
    const valve = index + 1
    return {
      key: `g${number}v${valve}`,
      name: branch(valve),
      valveSerial: `1112${digits(number, 8)}${digits(valve, 2)}`,
      hasOwnLink: false,
      isEnd: false,
      flats: [],
    }
  })
  return { key: `g${number}`, name, meter: undefined, units }
}

/** Serials of a pump house, whose `number` counts from 1. */
export const pumpHouseSerials = (number: number) => ({
  concentratorSerial: `8640020${digits(number, 8)}`,
  stationSerial: `4445${digits(number, 10)}`,
})

function layOutPumpHouse(
  size: IrrigationSize,
  seed: number,
  number: number,
  names: ScenarioNames,
): StationLayout {
  const areas = Array.from({ length: size.areas }, (_, area): AreaLayout => {
    const first = ((number - 1) * size.areas + area) * size.groups
    return {
      key: `p${number}a${area + 1}`,
      buildings: Array.from({ length: size.groups }, (__, group) =>
        layOutGroup(first + group + 1, names.group(group + 1), size.valves, names),
      ),
    }
  })
  return {
    key: `p${number}`,
    name: names.pumpHouse(number),
    ...pumpHouseSerials(number),
    concentratorImei: concentratorImei(seed, number),
    areas,
    watering: { programs: [] },
  }
}

/** Pump houses with their areas. A group takes the place of a building in a heating company, a valve's pipe that of a unit. */
export function layOutIrrigation(
  size: IrrigationSize,
  seed: number,
  { tenant, companyName: name }: { readonly tenant: string; readonly companyName: string },
  names: ScenarioNames,
): CompanyLayout {
  const stations = Array.from({ length: size.pumpHouses }, (_, index) =>
    layOutPumpHouse(size, seed, index + 1, names),
  )
  const places: PlaceSpec[] = [
    { key: 'project', parent: null, level: 1, name },
    { key: 'company', parent: 'project', level: 2, name: names.irrigationCompany(name) },
    { key: 'district1', parent: 'company', level: 3, name: names.irrigatedDistrict },
    ...stations.flatMap((station, index): PlaceSpec[] => [
      { key: station.key, parent: 'district1', level: 4, name: station.name },
      ...station.areas.map((area, at) => ({
        key: area.key,
        parent: station.key,
        level: 5,
        name: names.plot(index + 1, at + 1),
      })),
    ]),
  ]
  return {
    tenant,
    companyName: name,
    timeZone: 'Asia/Shanghai',
    places,
    testUser: undefined,
    stations,
    grounds: toTownPositions(stations),
  }
}
