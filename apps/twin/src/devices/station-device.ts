import type { Random } from '@isotherm/kernel/random'
import { pumpNow, type StationPlant } from '../plant/station-plant.ts'
import type { StationSpec } from '../scenarios/scenario.ts'
import {
  createFlowSensor,
  createSensor,
  METER_TEMPERATURE,
  PIPE_TEMPERATURE,
  PRESSURE,
  type Sensor,
} from './sensor.ts'

/** The heat station's own controller. */
export interface StationDevice {
  readonly serial: string
  readonly temperature: Sensor
  readonly outdoor: Sensor
  readonly flow: Sensor
  readonly pressure: Sensor
}

/** Pressure that the make-up point holds in the return, kPa above atmosphere. */
const STATIC_KPA = 300
const KG_S_TO_M3_H = 3600 / 988
const PERMANENT_RESERVE = 1.5

export function createStationDevice(spec: StationSpec, identity: Random, noise: Random): StationDevice {
  const designKgS = spec.units.reduce((sum, unit) => sum + unit.designFlow, 0)
  return {
    serial: spec.stationSerial,
    temperature: createSensor(METER_TEMPERATURE, identity, noise),
    outdoor: createSensor(PIPE_TEMPERATURE, identity, noise),
    flow: createFlowSensor(PERMANENT_RESERVE * designKgS * KG_S_TO_M3_H, identity, noise),
    pressure: createSensor(PRESSURE, identity, noise),
  }
}

/** What the controller shows now, by metric name. */
export function readStation(device: StationDevice, plant: StationPlant): Record<string, number> {
  const { headPa, powerW } = pumpNow(plant)
  const returnC = plant.returnAtNode[plant.network.pipeCount] ?? plant.supplyC
  return {
    'temp.supply': device.temperature(plant.supplyC),
    'temp.return': device.temperature(returnC),
    'temp.outdoor': device.outdoor(plant.outdoorC),
    'pressure.supply': device.pressure(STATIC_KPA + headPa / 1000),
    'pressure.return': device.pressure(STATIC_KPA),
    'heat.flow': device.flow(plant.hydraulics.totalFlow * KG_S_TO_M3_H),
    'heat.power': Number((plant.heatW / 1000).toFixed(1)),
    'pump.speed': Math.round(plant.spec.pumpSpeed * 100),
    'pump.power': Number((powerW / 1000).toFixed(1)),
  }
}
