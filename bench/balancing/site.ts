import { stemAfter } from '@isotherm/balancing/moves/backlash'
import { openingRatio } from '@isotherm/kernel/quantities'
import { createRandom } from '@isotherm/kernel/random'
import {
  createFlowSensor,
  createSensor,
  METER_TEMPERATURE,
  PIPE_TEMPERATURE,
  PRESSURE,
  ROOM_TEMPERATURE,
  type Sensor,
} from '../../apps/twin/src/devices/models/sensor.ts'
import {
  type Actuator,
  advanceActuator,
  createActuator,
  startMove,
} from '../../apps/twin/src/devices/models/valve-actuator.ts'
import { createPlant, type Plant, stepPlant } from '../../apps/twin/src/plant/plant.ts'
import { moveStem, pumpNow, type StationPlant, unitFlow } from '../../apps/twin/src/plant/station-plant.ts'
import type { Scenario, StationSpec } from '../../apps/twin/src/scenarios/scenario.ts'

/** Step of plant and devices, s; devices report at every third step. */
const STEP_S = 300
const STEPS_PER_READING = 3
const KG_S_TO_M3_H = 3600 / 988
const PERMANENT_RESERVE = 1.5
/** Dead travel of the motors (share of the stroke) that the controller assumes. The true one is 1 to 2 %. */
export const ASSUMED_BACKLASH = 0.015

/** All readings of one instant; arrays by unit, °C and kg/s. */
export interface Reading {
  readonly atS: number
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly flowKgS: Float64Array
  /** Room temperature of the one flat with a sensor in each unit. */
  readonly roomC: Float64Array
  readonly outdoorC: number
  readonly headPa: number
  readonly totalKgS: number
}

/** True state for the evaluation; the controller never reads it. */
export interface TrueState {
  readonly atS: number
  readonly returnC: Float64Array
  readonly flowKgS: Float64Array
  readonly pumpW: number
  readonly totalKgS: number
}

interface UnitSensors {
  readonly supply: Sensor
  readonly back: Sensor
  readonly flow: Sensor
  readonly room: Sensor
  /** Index of the flat with the room sensor; counts all flats of the station. */
  readonly flat: number
  frozenC: number | undefined
}

/** One station of the twin with its motors and sensors, and a log of readings and of true values. */
export interface Site {
  readonly plant: Plant
  readonly station: StationPlant
  readonly spec: StationSpec & { pumpSpeed: number }
  readonly actuators: readonly Actuator[]
  /** Stem positions that the controller estimates from its commands, 0..1. */
  readonly estimatedStem: Float64Array
  readonly units: readonly UnitSensors[]
  readonly ofStation: { readonly outdoor: Sensor; readonly flow: Sensor; readonly pressure: Sensor }
  readings: Reading[]
  trueStates: TrueState[]
  steps: number
}

function createUnitSensors(site: StationPlant, seed: number): UnitSensors[] {
  const identity = createRandom(seed + 71)
  const noise = createRandom(seed + 72)
  return site.spec.units.map((unit, index) => {
    const first = site.firstFlat[index] ?? 0
    return {
      supply: createSensor(PIPE_TEMPERATURE, identity, noise),
      back: createSensor(PIPE_TEMPERATURE, identity, noise),
      flow: createFlowSensor(PERMANENT_RESERVE * unit.designFlow * KG_S_TO_M3_H, identity, noise),
      room: createSensor(ROOM_TEMPERATURE, identity, noise),
      flat: first + Math.floor(unit.households.length * identity()),
      frozenC: undefined,
    }
  })
}

/** Builds a site from a scenario's first station. */
export function createSite(scenario: Scenario): Site {
  const [first] = scenario.stations
  if (first === undefined) throw new Error('the scenario has no station')
  const spec = { ...first }
  const plant = createPlant({ ...scenario, stations: [spec] })
  const [station] = plant.stations
  if (station === undefined) throw new Error('the plant has no station')
  const noise = createRandom(scenario.seed + 73)
  const designKgS = spec.units.reduce((sum, unit) => sum + unit.designFlow, 0)
  return {
    plant,
    station,
    spec,
    actuators: spec.units.map(({ strokeS, backlash, startOpening }) =>
      createActuator({ strokeS, backlash, pace: { minMoveS: 0 } }, startOpening),
    ),
    estimatedStem: Float64Array.from(spec.units, (unit) => unit.startOpening),
    units: createUnitSensors(station, scenario.seed),
    ofStation: {
      outdoor: createSensor(METER_TEMPERATURE, noise, noise),
      flow: createFlowSensor(PERMANENT_RESERVE * designKgS * KG_S_TO_M3_H, noise, noise),
      pressure: createSensor(PRESSURE, noise, noise),
    },
    readings: [],
    trueStates: [],
    steps: 0,
  }
}

function takeReading(site: Site): void {
  const { station, plant, units, ofStation, spec } = site
  const count = units.length
  const reading: Reading = {
    atS: plant.simTimeS,
    supplyC: new Float64Array(count),
    returnC: new Float64Array(count),
    flowKgS: new Float64Array(count),
    roomC: new Float64Array(count),
    outdoorC: ofStation.outdoor(station.outdoorC),
    headPa: 1000 * ofStation.pressure(pumpNow(station).headPa / 1000),
    totalKgS: ofStation.flow(station.hydraulics.totalFlow * KG_S_TO_M3_H) / KG_S_TO_M3_H,
  }
  units.forEach((sensors, i) => {
    const serial = spec.units[i]?.valveSerial ?? ''
    reading.supplyC[i] = sensors.supply(
      station.supplyAtNode[station.network.circuitNode[i] ?? 0] ?? Number.NaN,
    )
    const shown = sensors.back(station.unitReturnC[i] ?? Number.NaN)
    if (plant.faults.find(serial, 'frozen') !== undefined) sensors.frozenC ??= shown
    reading.returnC[i] = sensors.frozenC ?? shown
    reading.flowKgS[i] = sensors.flow(unitFlow(station, i) * KG_S_TO_M3_H) / KG_S_TO_M3_H
    reading.roomC[i] = sensors.room(station.households.airC[sensors.flat] ?? Number.NaN)
  })
  site.readings.push(reading)
}

function recordTrueState({ station, plant, trueStates }: Site): void {
  trueStates.push({
    atS: plant.simTimeS,
    returnC: station.unitReturnC.slice(),
    flowKgS: station.hydraulics.circuitFlow.slice(),
    pumpW: pumpNow(station).powerW,
    totalKgS: station.hydraulics.totalFlow,
  })
}

/** Runs the site for a time; its motors move meanwhile. */
export function advance(site: Site, durationS: number): void {
  const { plant, station, spec, actuators } = site
  for (let past = 0; past < durationS; past += STEP_S) {
    actuators.forEach((actuator, i) => {
      const serial = spec.units[i]?.valveSerial ?? ''
      const isStuck = plant.faults.find(serial, 'stuck') !== undefined
      const grip = plant.faults.find(serial, 'slipping')?.fault.grip ?? 1
      advanceActuator(actuator, plant.simTimeS + STEP_S, { isStuck, grip })
      moveStem(station, i, openingRatio(actuator.stem))
    })
    stepPlant(plant, STEP_S)
    site.steps++
    recordTrueState(site)
    if (site.steps % STEPS_PER_READING === 0) takeReading(site)
  }
}

/** Commands a motor to a position, 0..1, and updates the estimated stem position. */
export function command(site: Site, unit: number, position: number): void {
  const actuator = site.actuators[unit]
  if (actuator === undefined) return
  startMove(actuator, openingRatio(position), site.plant.simTimeS)
  site.estimatedStem[unit] = stemAfter(actuator.target, site.estimatedStem[unit] ?? 0, ASSUMED_BACKLASH)
}

/** Sets the pump's relative speed. Flows change immediately. */
export function setSpeed(site: Site, speed: number): void {
  site.spec.pumpSpeed = speed
  site.station.isValvesMoved = true
}
