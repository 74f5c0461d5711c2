import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, kilogramPerSecond, openingRatio, resistance } from '@isotherm/kernel/quantities'
import { type Random, sampleNormal } from '@isotherm/kernel/random'
import type { UnitLayout } from '../layouts/layout.ts'
import type { Emitters, HouseholdSpec, UnitSpec } from '../scenario.ts'
import { type FlatPosition, sampleBuilding, sampleEmitter } from './sample-household.ts'
import { sizeValve } from './sizing.ts'

/** Design flow, kg/(h·m²): radiators at 10 K, floors at 8 K. */
const designFlowKgHM2 = { radiators: 3, floor: 3.8 } as const
/** Pressure drop of risers and emitters at design flow, Pa. */
const circuitDropPa = { radiators: 18_000, floor: 25_000 } as const

/** Deviation of a valve from its name plate, standard deviations (balancing.md D.9). */
const KVS_DEVIATION = 0.06
const RANGEABILITY_DEVIATION = 0.1

/** Properties of a unit besides its place. */
export interface UnitProperties {
  /** Random source of the deviations of valves from their name plates. */
  readonly deviations: Random
  /** 0 at the station's end of the street and 1 at the far end. */
  readonly distance: number
  readonly emitters: Emitters
  readonly measuresFlow: boolean
}

/** A unit before its pipe is laid. */
export interface UnitDraft {
  readonly designFlowKgS: number
  readonly toSpec: (node: number) => UnitSpec
}

function sampleHouseholds(random: Random, unit: UnitLayout, emitters: Emitters): HouseholdSpec[] {
  const flats = unit.flats.map(({ key, name, floor, floors, areaM2: known, roomSensor }) => {
    // Sampled even if known, so that areas of a registry do not change later random numbers.
    const sampledM2 = Math.round(75 + 45 * random())
    const areaM2 = known ?? sampledM2
    const position: FlatPosition = { floor, floors, isEndUnit: unit.isEnd }
    return {
      key,
      name,
      floor,
      areaM2,
      building: sampleBuilding(random, areaM2, position),
      emitter: sampleEmitter(random, areaM2, position, emitters),
      weight: areaM2 * (0.9 + 0.2 * random()),
      gainFactor: 0.6 + 0.8 * random(),
      roomSensor,
    }
  })
  const total = flats.reduce((sum, flat) => sum + flat.weight, 0)
  return flats.map(({ weight, ...flat }) => ({ ...flat, flowShare: weight / total }))
}

/**
 * Opening after the last manual adjustment: near the station often open without need, sometimes throttled; towards the
 * end of the street open.
 */
function sampleOpening(random: Random, distance: number): number {
  const left = 0.45 + 0.25 * distance + 0.35 * random()
  const throttled = random() < 0.08 ? 0.12 : 0
  return Math.round(100 * Math.min(1, Math.max(0.25, left - throttled))) / 100
}

/** The valve with its manufacturing deviations. */
function sampleValve(deviations: Random, plate: ValveCharacteristic): ValveCharacteristic {
  if (plate.kind !== 'equal-percentage') return plate
  return {
    kind: 'equal-percentage',
    kvs: flowCoefficient(plate.kvs * sampleNormal(deviations, 1, KVS_DEVIATION)),
    rangeability: plate.rangeability * sampleNormal(deviations, 1, RANGEABILITY_DEVIATION),
  }
}

/** One unit with its flats and its valve. */
export function sampleUnit(random: Random, unit: UnitLayout, properties: UnitProperties): UnitDraft {
  const { deviations, emitters, measuresFlow, distance } = properties
  const households = sampleHouseholds(random, unit, emitters)
  const areaM2 = households.reduce((sum, flat) => sum + flat.areaM2, 0)
  const designFlowKgS = (areaM2 * designFlowKgHM2[emitters]) / 3600
  const plate = sizeValve(designFlowKgS)
  const valve = sampleValve(deviations, plate.characteristic)
  // Risers differ by up to 45 % from their design.
  const circuit = (circuitDropPa[emitters] / designFlowKgS ** 2) * (0.55 + 0.9 * random())
  const startOpening = openingRatio(sampleOpening(random, distance))
  const strokeS = Math.round(60 + 90 * random())
  const backlash = openingRatio(0.01 + 0.01 * random())
  return {
    designFlowKgS,
    toSpec: (node) => ({
      key: unit.key,
      name: unit.name,
      valveSerial: unit.valveSerial,
      hasOwnLink: unit.hasOwnLink,
      valve,
      valveModel: `DN${plate.dn} Kvs${plate.characteristic.kvs}`,
      measuresFlow,
      emitters,
      node,
      circuit: resistance(circuit),
      designFlow: kilogramPerSecond(designFlowKgS),
      startOpening,
      strokeS,
      backlash,
      households,
    }),
  }
}
