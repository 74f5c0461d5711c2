import { openingRatio } from '@isotherm/kernel/quantities'
import type { Random } from '@isotherm/kernel/random'
import type { StationPlant } from '../plant/station-plant.ts'
import type { UnitSpec } from '../scenarios/scenario.ts'
import type { Reply } from './command-desk.ts'
import { createSensor, FLOW, PIPE_TEMPERATURE, PRESSURE, type Sensor } from './sensor.ts'
import { type Actuator, createActuator } from './valve-actuator.ts'

/** A unit's motor valve: motor, sensors, and what it remembers of commands. */
export interface ValveDevice {
  readonly serial: string
  readonly unit: UnitSpec
  /** Index of its unit in the station. */
  readonly index: number
  readonly actuator: Actuator
  readonly replies: Map<string, Reply>
  /** Highest command revision taken. */
  rev: number
  activeCommand: string | undefined
  isRunningTold: boolean
  /** When the concentrator stops waiting for this child, Unix ms. */
  busGivesUpMs: number | undefined
  readonly sensors: {
    readonly supply: Sensor
    readonly back: Sensor
    readonly flow: Sensor
    readonly pressure: Sensor
  }
  readonly batteryV: number
  readonly signalDbm: number
}

export function createValveDevice(
  unit: UnitSpec,
  index: number,
  minMoveS: number,
  identity: Random,
  noise: Random,
): ValveDevice {
  return {
    serial: unit.valveSerial,
    unit,
    index,
    actuator: createActuator(
      { strokeS: unit.strokeS, backlash: unit.backlash, minMoveS, isStuck: unit.fault === 'stuck' },
      openingRatio(unit.startOpening),
    ),
    replies: new Map(),
    rev: 0,
    activeCommand: undefined,
    isRunningTold: false,
    busGivesUpMs: undefined,
    sensors: {
      supply: createSensor(PIPE_TEMPERATURE, identity, noise),
      back: createSensor(PIPE_TEMPERATURE, identity, noise),
      flow: createSensor(FLOW, identity, noise),
      pressure: createSensor(PRESSURE, identity, noise),
    },
    batteryV: 3.5 + 0.15 * identity(),
    signalDbm: -75 - 30 * identity(),
  }
}

/** Volts that one move costs the battery. */
const MOVE_COST_V = 0.0002
const DRIFT_LIMIT_K = 6
const DRIFT_TIME_S = 72 * 3600

const driftOf = (unit: UnitSpec, simTimeS: number): number =>
  unit.fault === 'drifting-return' ? DRIFT_LIMIT_K * (1 - Math.exp(-simTimeS / DRIFT_TIME_S)) : 0

const KG_S_TO_M3_H = 3600 / 988

/** What the valve shows now, by metric name. */
export function readValve(valve: ValveDevice, plant: StationPlant, simTimeS: number): Record<string, number> {
  const node = plant.network.circuitNode[valve.index] ?? 0
  const flow = (plant.hydraulics.circuitFlow[valve.index] ?? 0) * KG_S_TO_M3_H
  const { sensors, actuator } = valve
  const back = (plant.units[valve.index]?.returnC ?? 0) + driftOf(valve.unit, simTimeS)
  return {
    'valve.opening': Math.round(actuator.position * 100),
    'valve.target': Math.round(actuator.target * 100),
    'temp.supply': sensors.supply(plant.supplyAtNode[node] ?? 0),
    'temp.return': sensors.back(back),
    'heat.flow': Math.max(0, sensors.flow(flow)),
    'pressure.diff': Math.max(0, sensors.pressure((plant.hydraulics.nodeHead[node] ?? 0) / 1000)),
    'bat.v': Number((valve.batteryV - MOVE_COST_V * actuator.moves).toFixed(2)),
    rssi: Math.round(valve.signalDbm),
  }
}
