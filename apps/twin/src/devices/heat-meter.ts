import type { Random } from '@isotherm/kernel/random'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import type { StationPlant } from '../plant/station-plant.ts'
import type { BuildingSpec } from '../scenarios/scenario.ts'
import { createSensor, FLOW, METER_TEMPERATURE, type Sensor } from './sensor.ts'

/** A building's heat meter with its two registers. */
export interface HeatMeter {
  readonly serial: string
  readonly node: number
  readonly flow: Sensor
  readonly supply: Sensor
  readonly back: Sensor
  energyKwh: number
  volumeM3: number
}

/** What a meter measured at an instant. */
interface MeterReading {
  readonly flowM3H: number
  readonly supplyC: number
  readonly returnC: number
  readonly powerKw: number
}

const WATER_KG_M3 = 988
const KW_PER_M3H_K = (WATER_KG_M3 * WATER_HEAT_CAPACITY) / 3600 / 1000

export function createHeatMeter(building: BuildingSpec, identity: Random, noise: Random): HeatMeter {
  return {
    serial: building.meterSerial,
    node: building.node,
    flow: createSensor(FLOW, identity, noise),
    supply: createSensor(METER_TEMPERATURE, identity, noise),
    back: createSensor(METER_TEMPERATURE, identity, noise),
    energyKwh: Math.round(20_000 + 60_000 * identity()),
    volumeM3: Math.round(4_000 + 8_000 * identity()),
  }
}

function measure(meter: HeatMeter, plant: StationPlant): MeterReading {
  const flowM3H = Math.max(0, meter.flow(((plant.hydraulics.pipeFlow[meter.node] ?? 0) * 3600) / WATER_KG_M3))
  const supplyC = meter.supply(plant.supplyAtNode[meter.node] ?? 0)
  const returnC = meter.back(plant.returnAtNode[meter.node] ?? 0)
  return { flowM3H, supplyC, returnC, powerKw: KW_PER_M3H_K * flowM3H * (supplyC - returnC) }
}

/** Adds a span of simulated time to the registers; they never run backwards. */
export function integrateMeter(meter: HeatMeter, plant: StationPlant, durationS: number): void {
  const { flowM3H, powerKw } = measure(meter, plant)
  meter.energyKwh += (Math.max(0, powerKw) * durationS) / 3600
  meter.volumeM3 += (flowM3H * durationS) / 3600
}

/** What the meter shows now, by metric name. */
export function readMeter(meter: HeatMeter, plant: StationPlant): Record<string, number> {
  const { flowM3H, supplyC, returnC, powerKw } = measure(meter, plant)
  return {
    'heat.energy': Math.floor(meter.energyKwh),
    'heat.volume': Math.floor(meter.volumeM3 * 10) / 10,
    'heat.power': Number(powerKw.toFixed(1)),
    'heat.flow': flowM3H,
    'temp.supply': supplyC,
    'temp.return': returnC,
  }
}
