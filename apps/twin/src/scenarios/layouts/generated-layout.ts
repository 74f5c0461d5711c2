import { z } from 'zod'
import type { ScenarioNames } from '../names/scenario-names.ts'
import type { PlaceSpec } from '../scenario.ts'
import { concentratorImei, meterNumber } from './demo-numbers.ts'
import type { BuildingLayout, CompanyLayout, FlatLayout, StationLayout, UnitLayout } from './layout.ts'
import { toTownPositions } from './town-positions.ts'

/** Size of a generated company. Flats are stations × buildings × units × floors × flatsPerFloor. */
export const companySize = z.object({
  stations: z.number().int().min(1).max(1000),
  /** Of each station. */
  buildings: z.number().int().min(1).max(200),
  /** Of each building. */
  units: z.number().int().min(1).max(9),
  floors: z.number().int().min(1).max(40),
  flatsPerFloor: z.number().int().min(1).max(20),
  /** One of this many flats has a room sensor; 0: no flat. */
  sensorEvery: z.number().int().nonnegative(),
  meters: z.boolean(),
})
export type CompanySize = z.infer<typeof companySize>

const STATIONS_PER_DISTRICT = 20
const BUILDINGS_PER_AREA = 14
const digits = (value: number, length: number): string => String(value).padStart(length, '0')

function layOutUnit(size: CompanySize, building: number, unit: number, names: ScenarioNames): UnitLayout {
  const flats = Array.from({ length: size.floors * size.flatsPerFloor }, (_, index): FlatLayout => {
    const floor = 1 + Math.floor(index / size.flatsPerFloor)
    const name = `${floor}${digits(1 + (index % size.flatsPerFloor), 2)}`
    const running = building * size.units + unit + index
    const hasSensor = size.sensorEvery > 0 && running % size.sensorEvery === 0
    return {
      key: `b${building}u${unit}h${name}`,
      name,
      floor,
      floors: size.floors,
      areaM2: undefined,
      roomSensor: hasSensor ? `3333${digits(building, 6)}${unit}${digits(Number(name), 4)}` : undefined,
    }
  })
  return {
    key: `b${building}u${unit}`,
    name: names.unit(unit),
    valveSerial: `1111${digits(building, 8)}${digits(unit, 2)}`,
    hasOwnLink: false,
    isEnd: unit === 1 || unit === size.units,
    flats,
  }
}

function layOutBuilding(
  size: CompanySize,
  seed: number,
  number: number,
  inArea: number,
  names: ScenarioNames,
): BuildingLayout {
  return {
    key: `b${number}`,
    name: names.building(inArea, 'digits'),
    meter: size.meters
      ? { serial: `2222${digits(number, 10)}`, meterNo: meterNumber(seed, number) }
      : undefined,
    units: Array.from({ length: size.units }, (_, unit) => layOutUnit(size, number, unit + 1, names)),
  }
}

function layOutStation(size: CompanySize, seed: number, number: number, names: ScenarioNames): StationLayout {
  const first = (number - 1) * size.buildings
  const areas = Array.from({ length: Math.ceil(size.buildings / BUILDINGS_PER_AREA) }, (_, area) => {
    const from = area * BUILDINGS_PER_AREA
    const count = Math.min(BUILDINGS_PER_AREA, size.buildings - from)
    return {
      key: `s${number}a${area + 1}`,
      buildings: Array.from({ length: count }, (__, at) =>
        layOutBuilding(size, seed, first + from + at + 1, from + at + 1, names),
      ),
    }
  })
  return {
    key: `s${number}`,
    name: names.station(number),
    concentratorSerial: `8640010${digits(number, 8)}`,
    concentratorImei: concentratorImei(seed, number),
    stationSerial: `4444${digits(number, 10)}`,
    areas,
  }
}

/** A company of any size: districts of twenty heat stations, areas of fourteen buildings. */
export function layOutCompany(
  size: CompanySize,
  seed: number,
  { tenant, companyName: name }: { readonly tenant: string; readonly companyName: string },
  names: ScenarioNames,
): CompanyLayout {
  const places: PlaceSpec[] = [
    { key: 'project', parent: null, level: 1, name },
    { key: 'company', parent: 'project', level: 2, name: names.heatingCompany(name) },
  ]
  const stations: StationLayout[] = []
  for (let number = 1; number <= size.stations; number++) {
    const district = 1 + Math.floor((number - 1) / STATIONS_PER_DISTRICT)
    const parent = `district${district}`
    if ((number - 1) % STATIONS_PER_DISTRICT === 0) {
      places.push({ key: parent, parent: 'company', level: 3, name: names.district(district) })
    }
    const station = layOutStation(size, seed, number, names)
    places.push({ key: station.key, parent, level: 4, name: station.name })
    station.areas.forEach((area, index) => {
      places.push({ key: area.key, parent: station.key, level: 5, name: names.area(number, index + 1) })
    })
    stations.push(station)
  }
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
