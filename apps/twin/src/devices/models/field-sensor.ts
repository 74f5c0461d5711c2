import { toM3H } from '@isotherm/hydraulics/elements/water'
import type { Random } from '@isotherm/kernel/random'
import type { Shown } from '../../faults/distort.ts'
import { soilMoisture } from '../../plant/soil.ts'
import type { StationPlant } from '../../plant/station-plant.ts'
import type { FieldSensorSpec, StationSpec } from '../../scenarios/scenario.ts'
import { createFlowSensor, createSensor, permanentFlow, type Sensor, SOIL_MOISTURE } from './sensor.ts'
import { tippedMm } from './station-device.ts'

/** A sensor of its own in a watered field: a flow meter after the pump, a rain gauge outdoors, a probe in the ground. */
export interface FieldSensor {
  readonly serial: string
  readonly spec: FieldSensorSpec
  readonly sensor: Sensor
  readonly signalDbm: number
}

/** A gauge counts whole buckets. */
const exact: Sensor = (truth) => truth

export function createFieldSensors(
  { units, watering }: StationSpec,
  identity: Random,
  noise: Random,
): FieldSensor[] {
  const designKgS = units.reduce((sum, unit) => sum + unit.designFlow, 0)
  const create = {
    flow: () => createFlowSensor(permanentFlow(designKgS), identity, noise),
    rain: () => exact,
    soil: () => createSensor(SOIL_MOISTURE, identity, noise),
  }
  return (watering?.sensors ?? []).map((spec) => ({
    serial: spec.serial,
    spec,
    sensor: create[spec.measures](),
    signalDbm: -75 - 30 * identity(),
  }))
}

function measure({ spec, sensor }: FieldSensor, { soil, hydraulics }: StationPlant): Shown {
  if (spec.measures === 'flow') return { 'heat.flow': sensor(toM3H(hydraulics.totalFlow)) }
  if (soil === undefined) return {}
  return spec.measures === 'rain'
    ? { 'rain.total': tippedMm(soil.rainedMm[0] ?? 0) }
    : { 'soil.moisture': Math.max(0, sensor(100 * soilMoisture(soil, spec.unit))) }
}

/** Present values of the sensor by metric name. */
export const readFieldSensor = (device: FieldSensor, plant: StationPlant): Shown => ({
  ...measure(device, plant),
  rssi: Math.round(device.signalDbm),
})
