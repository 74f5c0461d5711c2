import { kilogramPerSecond, openingRatio, resistance } from '@isotherm/kernel/quantities'
import type { Random } from '@isotherm/kernel/random'
import { demoFaults } from './demo-faults.ts'
import { drawBuilding, drawRadiator, type FlatPosition } from './demo-household.ts'
import type { HouseholdSpec, UnitSpec } from './scenario.ts'
import { sizeValve } from './sizing.ts'

export const UNITS_PER_BUILDING = 3
const FLOORS = 6
const FLATS_PER_FLOOR = 2
/** One flat in six has a room sensor. */
const SENSOR_EVERY = 6
/** Design flow of radiators at 10 K, kg/(h·m²). */
const DESIGN_FLOW_KG_H_M2 = 3
/** Pressure drop of risers and radiators at design flow, Pa. */
const CIRCUIT_DROP_PA = 18_000

/** Numbers that name a unit: station, building (company-wide) and unit within it, all from 1. */
export interface UnitPlace {
  readonly station: number
  readonly building: number
  readonly unit: number
}

/** A unit before its pipe is laid. */
export interface UnitDraft {
  readonly designFlowKgS: number
  readonly toSpec: (node: number) => UnitSpec
}

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** Serial of a unit's valve: 1111000, station, building, unit. */
const valveSerial = ({ station, building, unit }: UnitPlace): string =>
  `1111000${digits(station, 2)}${digits(building, 3)}${digits(unit, 2)}`

const roomSensorSerial = ({ station, building, unit }: UnitPlace, flat: string): string =>
  `3333${digits(station, 2)}${digits(building, 3)}${unit}${digits(Number(flat), 4)}`

function drawHouseholds(random: Random, place: UnitPlace): HouseholdSpec[] {
  const flats = Array.from({ length: FLOORS * FLATS_PER_FLOOR }, (_, index) => {
    const floor = 1 + Math.floor(index / FLATS_PER_FLOOR)
    const name = `${floor}${digits(1 + (index % FLATS_PER_FLOOR), 2)}`
    const areaM2 = Math.round(75 + 45 * random())
    const position: FlatPosition = {
      floor,
      floors: FLOORS,
      isEndUnit: place.unit === 1 || place.unit === UNITS_PER_BUILDING,
    }
    const running = (place.building * UNITS_PER_BUILDING + place.unit) * FLOORS * FLATS_PER_FLOOR + index
    // The sensor wanders from storey to storey between units, so that every height is seen.
    const hasSensor = (running + place.building + place.unit) % SENSOR_EVERY === 0
    return {
      key: `b${place.building}u${place.unit}h${name}`,
      name,
      areaM2,
      building: drawBuilding(random, areaM2, position),
      radiator: drawRadiator(random, areaM2, position),
      weight: areaM2 * (0.9 + 0.2 * random()),
      gainFactor: 0.6 + 0.8 * random(),
      roomSensor: hasSensor ? roomSensorSerial(place, name) : undefined,
    }
  })
  const total = flats.reduce((sum, flat) => sum + flat.weight, 0)
  return flats.map(({ weight, ...flat }) => ({ ...flat, flowShare: weight / total }))
}

/**
 * How the valve was left by whoever touched it last: near the station mostly opened without need, now and then
 * throttled; towards the end opened.
 */
function drawOpening(random: Random, distance: number): number {
  const left = 0.45 + 0.25 * distance + 0.35 * random()
  const throttled = random() < 0.08 ? 0.12 : 0
  return Math.round(100 * Math.min(1, Math.max(0.25, left - throttled))) / 100
}

/** One unit with its flats and its valve. `distance` is 0 at the station's end of the street and 1 at the far end. */
export function drawUnit(random: Random, place: UnitPlace, distance: number): UnitDraft {
  const households = drawHouseholds(random, place)
  const areaM2 = households.reduce((sum, flat) => sum + flat.areaM2, 0)
  const designFlowKgS = (areaM2 * DESIGN_FLOW_KG_H_M2) / 3600
  const valve = sizeValve(designFlowKgS)
  const serial = valveSerial(place)
  // Risers differ by up to 45 % from what was designed.
  const circuit = (CIRCUIT_DROP_PA / designFlowKgS ** 2) * (0.55 + 0.9 * random())
  const startOpening = openingRatio(drawOpening(random, distance))
  const strokeS = Math.round(60 + 90 * random())
  const backlash = openingRatio(0.01 + 0.01 * random())
  return {
    designFlowKgS,
    toSpec: (node) => ({
      key: `b${place.building}u${place.unit}`,
      name: `${place.unit}单元`,
      valveSerial: serial,
      valve: valve.characteristic,
      valveModel: `DN${valve.dn} Kvs${valve.characteristic.kvs}`,
      node,
      circuit: resistance(circuit),
      designFlow: kilogramPerSecond(designFlowKgS),
      startOpening,
      strokeS,
      backlash,
      fault: demoFaults.get(serial),
      households,
    }),
  }
}
