import { toM3H } from '@isotherm/hydraulics/elements/water'
import type { Random } from '@isotherm/kernel/random'
import type { Shown } from '../../faults/distort.ts'
import { pumpNow, type StationPlant, supplyTarget } from '../../plant/station-plant.ts'
import type { StationSpec } from '../../scenarios/scenario.ts'
import {
  createFlowSensor,
  createSensor,
  METER_TEMPERATURE,
  PIPE_TEMPERATURE,
  PRESSURE,
  permanentFlow,
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

/** Return pressure at the make-up point, kPa above atmosphere. */
const STATIC_KPA = 300

/** Pressure before a pump that has no water, kPa above atmosphere. */
const DRY_KPA = -60

/** A tipping-bucket gauge counts whole buckets of 0.2 mm. */
const BUCKETS_PER_MM = 5
export const tippedMm = (rainedMm: number): number => Math.floor(rainedMm * BUCKETS_PER_MM) / BUCKETS_PER_MM

export function createStationDevice(spec: StationSpec, identity: Random, noise: Random): StationDevice {
  const designKgS = spec.units.reduce((sum, unit) => sum + unit.designFlow, 0)
  return {
    serial: spec.stationSerial,
    temperature: createSensor(METER_TEMPERATURE, identity, noise),
    outdoor: createSensor(PIPE_TEMPERATURE, identity, noise),
    flow: createFlowSensor(permanentFlow(designKgS), identity, noise),
    pressure: createSensor(PRESSURE, identity, noise),
  }
}

/** What the weather station of a pump house shows besides temperature and rain. */
const readWeather = ({ sky }: StationPlant): Shown =>
  sky === undefined
    ? {}
    : {
        'humidity.outdoor': Math.round(sky.humidityPct),
        'wind.speed': Number(sky.windMS.toFixed(1)),
        'sun.radiation': Math.round(sky.groundSunWM2),
      }

/** Present values of the controller by metric name. A pump house takes well water and has no heat values; under
 * glass it measures no weather. */
export function readStation(device: StationDevice, plant: StationPlant): Shown {
  const { speed, headPa, powerW } = pumpNow(plant)
  const { heating, watering } = plant.spec
  const isUnderGlass = watering?.underGlassC !== undefined
  const suctionKpa = heating !== undefined ? STATIC_KPA : plant.isDry && speed > 0 ? DRY_KPA : 0
  const returnC = plant.returnAtNode[plant.network.pipeCount] ?? plant.supplyC
  return {
    ...(heating === undefined
      ? {}
      : {
          'temp.supply': device.temperature(plant.supplyC),
          'temp.return': device.temperature(returnC),
          'heat.power': Number((plant.heatW / 1000).toFixed(1)),
          'pump.target': Number(((plant.heldHeadPa ?? 0) / 1000).toFixed(1)),
          'supply.offset': plant.supplyOffsetK,
          'supply.target': Number((supplyTarget(plant) ?? plant.supplyC).toFixed(1)),
        }),
    ...(isUnderGlass ? {} : { 'temp.outdoor': device.outdoor(plant.outdoorC) }),
    'pressure.supply': device.pressure(suctionKpa + headPa / 1000),
    'pressure.return': device.pressure(suctionKpa),
    'heat.flow': device.flow(toM3H(plant.hydraulics.totalFlow)),
    'pump.speed': Math.round(speed * 100),
    'pump.power': Number((powerW / 1000).toFixed(1)),
    ...(plant.soil === undefined
      ? {}
      : {
          'master.opening': plant.isMasterOpen ? 100 : 0,
          ...(isUnderGlass
            ? {}
            : { 'rain.total': tippedMm(plant.soil.rainedMm[0] ?? 0), ...readWeather(plant) }),
        }),
  }
}
