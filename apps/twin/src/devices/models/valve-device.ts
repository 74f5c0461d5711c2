import type { CommandMessage } from '@isotherm/contract/mqtt'
import { toM3H } from '@isotherm/hydraulics/elements/water'
import { openingRatio } from '@isotherm/kernel/quantities'
import type { Random } from '@isotherm/kernel/random'
import type { Shown } from '../../faults/distort.ts'
import type { FaultBoard } from '../../faults/fault-board.ts'
import { soilMoisture } from '../../plant/soil.ts'
import { type StationPlant, unitFlow } from '../../plant/station-plant.ts'
import type { UnitSpec } from '../../scenarios/scenario.ts'
import { type Battery, isFlat, voltsOf } from './battery.ts'
import type { Reply } from './command-memory.ts'
import {
  createFlowSensor,
  createSensor,
  PIPE_TEMPERATURE,
  PRESSURE,
  permanentFlow,
  type Sensor,
  SOIL_MOISTURE,
} from './sensor.ts'
import { type Actuator, type ActuatorHealth, createActuator, HEALTHY, type Pace } from './valve-actuator.ts'

/** A unit's motor valve: motor, sensors and state of its commands. */
export interface ValveDevice {
  readonly serial: string
  readonly unit: UnitSpec
  /** Index of its unit in the station. */
  readonly index: number
  readonly actuator: Actuator
  readonly replies: Map<string, Reply>
  /** Highest accepted command revision. */
  rev: number
  activeCommand: string | undefined
  isRunningReported: boolean
  /** When the concentrator stops waiting for an answer of this valve, Unix ms. */
  busGivesUpMs: number | undefined
  /** When it closes by itself, Unix ms; undefined: it stays as it is. */
  closesAtMs: number | undefined
  /** A valve that sleeps listens until then, Unix ms. */
  awakeUntilMs: number
  /** Commands that wait until it listens. */
  readonly waiting: CommandMessage[]
  readonly sensors: {
    readonly supply: Sensor
    readonly back: Sensor
    readonly flow: Sensor
    readonly pressure: Sensor
    /** A probe in the ground, at some irrigation valves. */
    readonly soil: Sensor | undefined
  }
  /** Its battery; undefined for mains power. */
  readonly battery: Battery | undefined
  readonly clockCellV: number
  readonly signalDbm: number
}

export interface ValveOptions {
  readonly pace: Pace
  readonly onBattery: boolean
  readonly hasProbe: boolean
  readonly identity: Random
  readonly noise: Random
}

export function createValveDevice(unit: UnitSpec, index: number, options: ValveOptions): ValveDevice {
  const { pace, onBattery, hasProbe, identity, noise } = options
  return {
    serial: unit.valveSerial,
    unit,
    index,
    actuator: createActuator(
      { strokeS: unit.strokeS, backlash: unit.backlash, pace },
      openingRatio(unit.startOpening),
    ),
    replies: new Map(),
    rev: 0,
    activeCommand: undefined,
    isRunningReported: false,
    busGivesUpMs: undefined,
    closesAtMs: undefined,
    awakeUntilMs: 0,
    waiting: [],
    sensors: {
      supply: createSensor(PIPE_TEMPERATURE, identity, noise),
      back: createSensor(PIPE_TEMPERATURE, identity, noise),
      flow: createFlowSensor(permanentFlow(unit.designFlow), identity, noise),
      pressure: createSensor(PRESSURE, identity, noise),
      soil: hasProbe ? createSensor(SOIL_MOISTURE, identity, noise) : undefined,
    },
    battery: onBattery ? { usedJ: 0 } : undefined,
    clockCellV: 3.5 + 0.15 * identity(),
    signalDbm: -75 - 30 * identity(),
  }
}

/** Whether the valve does not answer, because of a fault or an empty battery. */
export const isSilent = ({ serial, battery }: ValveDevice, faults: FaultBoard): boolean =>
  faults.find(serial, 'offline') !== undefined || (battery !== undefined && isFlat(battery))

export function healthOf({ serial }: ValveDevice, faults: FaultBoard): ActuatorHealth {
  if (faults.of(serial).length === 0) return HEALTHY
  const grip = faults.find(serial, 'slipping')?.fault.grip ?? 1
  return { isStuck: faults.find(serial, 'stuck') !== undefined, grip }
}

/** Present values of the valve by metric name. */
export function readValve(valve: ValveDevice, plant: StationPlant): Shown {
  const node = plant.network.circuitNode[valve.index] ?? 0
  const { sensors, actuator, unit, battery } = valve
  const flow = toM3H(unitFlow(plant, valve.index))
  return {
    'valve.opening': Math.round(actuator.position * 100),
    'valve.target': Math.round(actuator.target * 100),
    ...(plant.spec.heating === undefined
      ? {}
      : {
          'temp.supply': sensors.supply(plant.supplyAtNode[node] ?? 0),
          'temp.return': sensors.back(plant.unitReturnC[valve.index] ?? 0),
        }),
    ...(unit.measuresFlow ? { 'heat.flow': Math.max(0, sensors.flow(flow)) } : {}),
    'pressure.diff': Math.max(0, sensors.pressure((plant.hydraulics.nodeHead[node] ?? 0) / 1000)),
    ...(sensors.soil === undefined || plant.soil === undefined
      ? {}
      : { 'soil.moisture': Math.max(0, sensors.soil(100 * soilMoisture(plant.soil, valve.index))) }),
    'bat.v': Number((battery === undefined ? valve.clockCellV : voltsOf(battery)).toFixed(2)),
    rssi: Math.round(valve.signalDbm),
  }
}
