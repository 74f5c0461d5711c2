import { toM3H } from '@isotherm/hydraulics/elements/water'
import type { Random } from '@isotherm/kernel/random'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { distortSensors, type Shown } from '../../faults/distort.ts'
import type { ActiveFault } from '../../faults/fault-board.ts'
import type { StationPlant } from '../../plant/station-plant.ts'
import { createFlowSensor, createSensor, METER_TEMPERATURE, permanentFlow, type Sensor } from './sensor.ts'

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

const KW_PER_M3H_K = WATER_HEAT_CAPACITY / toM3H(1) / 1000

/** Creates the meter of a building at its node. `designKgS`: design flow of the building, kg/s. */
export function createHeatMeter(
  serial: string,
  node: number,
  designKgS: number,
  identity: Random,
  noise: Random,
): HeatMeter {
  return {
    serial,
    node,
    flow: createFlowSensor(permanentFlow(designKgS), identity, noise),
    supply: createSensor(METER_TEMPERATURE, identity, noise),
    back: createSensor(METER_TEMPERATURE, identity, noise),
    // Registers of a meter that is some years old: a season before the first start, subtracted from them, leaves them above 0.
    energyKwh: Math.round(150_000 + 300_000 * identity()),
    volumeM3: Math.round(30_000 + 30_000 * identity()),
  }
}

/** Values of the flow and temperature sensors by metric name. */
function measure(
  meter: HeatMeter,
  plant: StationPlant,
  faults: readonly ActiveFault[],
  simTimeS: number,
): Shown {
  const shown: Shown = {
    'heat.flow': Math.max(0, meter.flow(toM3H(plant.hydraulics.pipeFlow[meter.node] ?? 0))),
    'temp.supply': meter.supply(plant.supplyAtNode[meter.node] ?? 0),
    'temp.return': meter.back(plant.returnAtNode[meter.node] ?? 0),
  }
  distortSensors(faults, shown, simTimeS)
  const { 'heat.flow': flow = 0, 'temp.supply': supply = 0, 'temp.return': back = 0 } = shown
  shown['heat.power'] = Number((KW_PER_M3H_K * flow * (supply - back)).toFixed(1))
  return shown
}

/** Adds a span of simulated time to the registers; they never decrease. */
export function integrateMeter(
  meter: HeatMeter,
  plant: StationPlant,
  faults: readonly ActiveFault[],
  simTimeS: number,
  durationS: number,
): void {
  const { 'heat.flow': flow = 0, 'heat.power': power = 0 } = measure(meter, plant, faults, simTimeS)
  const hours = durationS / 3600
  meter.energyKwh += Math.max(0, power) * hours
  meter.volumeM3 += flow * hours
}

/** Present values of the meter by metric name. */
export const readMeter = (
  meter: HeatMeter,
  plant: StationPlant,
  faults: readonly ActiveFault[],
  simTimeS: number,
): Shown => ({
  'heat.energy': Math.floor(meter.energyKwh),
  'heat.volume': Math.floor(meter.volumeM3 * 10) / 10,
  ...measure(meter, plant, faults, simTimeS),
})
