import type { PlaceSpec } from '../scenario.ts'
import { type AreaNames, buildingName, demoNames, type StationNames } from './demo-names.ts'
import { concentratorImei, meterNumber } from './demo-numbers.ts'
import { layOutNursery } from './demo-nursery.ts'
import type { BuildingLayout, CompanyLayout, FlatLayout, StationLayout, UnitLayout } from './layout.ts'
import { toTownPositions } from './town-positions.ts'

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

function layOutUnit(place: UnitPlace): UnitLayout {
  const { station, building, unit } = place
  return {
    key: `b${building}u${unit}`,
    name: `${unit}单元`,
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
): BuildingLayout {
  return {
    key: `b${number}`,
    name: buildingName(index + 1, area.numerals),
    meter: {
      serial: `2222000${digits(station, 2)}${digits(number, 3)}00`,
      meterNo: meterNumber(seed, number),
    },
    units: Array.from({ length: UNITS_PER_BUILDING }, (_, unit) =>
      layOutUnit({ station, building: number, unit: unit + 1 }),
    ),
  }
}

function layOutStation(
  seed: number,
  number: number,
  names: StationNames,
  firstBuilding: number,
): StationLayout {
  let next = firstBuilding
  return {
    key: `s${number}`,
    name: names.name,
    concentratorSerial: `86400100000000${number}`,
    concentratorImei: concentratorImei(seed, number),
    stationSerial: `4444000${digits(number, 2)}00000`,
    areas: names.areas.map((area, index) => ({
      key: `s${number}a${index + 1}`,
      buildings: Array.from({ length: area.buildings }, (_, at) =>
        layOutBuilding(seed, number, next++, area, at),
      ),
    })),
  }
}

/**
 * The demo company: one group, one company, two districts with four heat stations, a nursery with a pump house, and one
 * sub-user for testing.
 */
export function layOutDemo(seed: number): CompanyLayout {
  const places: PlaceSpec[] = [
    { key: 'project', parent: null, level: 1, name: demoNames.group },
    { key: 'company', parent: 'project', level: 2, name: demoNames.company },
  ]
  const stations: StationLayout[] = []
  let firstBuilding = 1
  for (const [districtIndex, district] of demoNames.districts.entries()) {
    const parent = `district${districtIndex + 1}`
    places.push({ key: parent, parent: 'company', level: 3, name: district.name })
    for (const names of district.stations) {
      const station = layOutStation(seed, stations.length + 1, names, firstBuilding)
      const { key } = station
      const buildings = station.areas.reduce((sum, area) => sum + area.buildings.length, 0)
      const description = `供 ${names.areas.map((area) => area.name).join('、')}，${buildings} 栋`
      const stype = 'stype' in names ? { stype: names.stype } : {}
      places.push({ key, parent, level: 4, name: names.name, description, ...stype })
      for (const [index, area] of names.areas.entries()) {
        places.push({ key: `${key}a${index + 1}`, parent: key, level: 5, name: area.name })
      }
      firstBuilding += buildings
      stations.push(station)
    }
  }
  const nursery = layOutNursery(demoNames.nursery, 'company', concentratorImei(seed, stations.length + 1))
  places.push(...nursery.places)
  stations.push(nursery.pumpHouse)
  return {
    tenant: demoNames.tenant,
    companyName: demoNames.group,
    timeZone: demoNames.timeZone,
    places,
    testUser: { key: 'test-user', area: 's1a1', name: demoNames.testUser },
    stations,
    grounds: toTownPositions(stations),
  }
}
