import type { AreaNames, ScenarioNames, StationNames } from '../names/scenario-names.ts'
import type { PlaceSpec } from '../scenario.ts'
import { concentratorImei, meterNumber } from './demo-numbers.ts'
import { layOutNursery } from './demo-nursery.ts'
import type { BuildingLayout, CompanyLayout, FlatLayout, StationLayout, UnitLayout } from './layout.ts'
import { toTownPositions } from './town-positions.ts'

const TENANT = 'heyuan'
const UNITS_PER_BUILDING = 3
const FLOORS = 6
const FLATS_PER_FLOOR = 2
/** One flat in six has a room sensor. */
const SENSOR_EVERY = 6

/** Numbers of a unit: station, building (company-wide) and unit in the building, all from 1. */
interface UnitPlace {
  readonly station: number
  readonly building: number
  readonly unit: number
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

function layOutFlat(place: UnitPlace, index: number): FlatLayout {
  const { station, building, unit } = place
  const floor = 1 + Math.floor(index / FLATS_PER_FLOOR)
  const name = `${floor}${digits(1 + (index % FLATS_PER_FLOOR), 2)}`
  const running = (building * UNITS_PER_BUILDING + unit) * FLOORS * FLATS_PER_FLOOR + index
  // The storey of the sensor changes from unit to unit, so that every height is measured.
  const hasSensor = (running + building + unit) % SENSOR_EVERY === 0
  const serial = `3333${digits(station, 2)}${digits(building, 3)}${unit}${digits(Number(name), 4)}`
  return {
    key: `b${building}u${unit}h${name}`,
    name,
    floor,
    floors: FLOORS,
    areaM2: undefined,
    roomSensor: hasSensor ? serial : undefined,
  }
}

function layOutUnit(place: UnitPlace, { unit: nameUnit }: ScenarioNames): UnitLayout {
  const { station, building, unit } = place
  return {
    key: `b${building}u${unit}`,
    name: nameUnit(unit),
    valveSerial: `1111000${digits(station, 2)}${digits(building, 3)}${digits(unit, 2)}`,
    hasOwnLink: false,
    isEnd: unit === 1 || unit === UNITS_PER_BUILDING,
    flats: Array.from({ length: FLOORS * FLATS_PER_FLOOR }, (_, index) => layOutFlat(place, index)),
  }
}

function layOutBuilding(
  seed: number,
  station: number,
  number: number,
  area: AreaNames,
  index: number,
  names: ScenarioNames,
): BuildingLayout {
  return {
    key: `b${number}`,
    name: names.building(index + 1, area.numerals),
    meter: {
      serial: `2222000${digits(station, 2)}${digits(number, 3)}00`,
      meterNo: meterNumber(seed, number),
    },
    units: Array.from({ length: UNITS_PER_BUILDING }, (_, unit) =>
      layOutUnit({ station, building: number, unit: unit + 1 }, names),
    ),
  }
}

function layOutStation(
  seed: number,
  number: number,
  own: StationNames,
  firstBuilding: number,
  names: ScenarioNames,
): StationLayout {
  let next = firstBuilding
  return {
    key: `s${number}`,
    name: own.name,
    concentratorSerial: `86400100000000${number}`,
    concentratorImei: concentratorImei(seed, number),
    stationSerial: `4444000${digits(number, 2)}00000`,
    areas: own.areas.map((area, index) => ({
      key: `s${number}a${index + 1}`,
      buildings: Array.from({ length: area.buildings }, (_, at) =>
        layOutBuilding(seed, number, next++, area, at, names),
      ),
    })),
  }
}

/**
 * The demo company: one group, one company, two districts with four heat stations, a nursery with a pump house, and one
 * sub-user for testing.
 */
export function layOutDemo(seed: number, names: ScenarioNames): CompanyLayout {
  const { demo } = names
  const places: PlaceSpec[] = [
    { key: 'project', parent: null, level: 1, name: demo.group },
    { key: 'company', parent: 'project', level: 2, name: demo.company },
  ]
  const stations: StationLayout[] = []
  let firstBuilding = 1
  for (const [districtIndex, district] of demo.districts.entries()) {
    const parent = `district${districtIndex + 1}`
    places.push({ key: parent, parent: 'company', level: 3, name: district.name })
    for (const own of district.stations) {
      const station = layOutStation(seed, stations.length + 1, own, firstBuilding, names)
      const { key } = station
      const buildings = station.areas.reduce((sum, area) => sum + area.buildings.length, 0)
      const description = names.supplies(
        own.areas.map((area) => area.name),
        buildings,
      )
      const stype = own.stype === undefined ? {} : { stype: own.stype }
      places.push({ key, parent, level: 4, name: own.name, description, ...stype })
      for (const [index, area] of own.areas.entries()) {
        places.push({ key: `${key}a${index + 1}`, parent: key, level: 5, name: area.name })
      }
      firstBuilding += buildings
      stations.push(station)
    }
  }
  const nursery = layOutNursery(names, 'company', concentratorImei(seed, stations.length + 1))
  places.push(...nursery.places)
  stations.push(nursery.pumpHouse)
  return {
    tenant: TENANT,
    companyName: demo.group,
    timeZone: 'Asia/Shanghai',
    places,
    testUser: { key: 'test-user', area: 's1a1', name: demo.testUser },
    stations,
    grounds: toTownPositions(stations),
  }
}
