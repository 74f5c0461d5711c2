import { drawNormal, type Random } from '@isotherm/kernel/random'

/** Errors of a sensor: fixed offset, fixed gain error, noise of each reading (all standard deviations) and step. */
export interface SensorErrors {
  readonly bias?: number
  readonly gain?: number
  readonly noise?: number
  readonly step: number
}

/** What a sensor shows for a true value. */
export type Sensor = (truth: number) => number

/** Clip-on or pocket sensor of a valve: 0.1 K of offset, shown in tenths. */
export const PIPE_TEMPERATURE: SensorErrors = { bias: 0.12, noise: 0.04, step: 0.1 }
export const METER_TEMPERATURE: SensorErrors = { bias: 0.05, noise: 0.01, step: 0.01 }
export const ROOM_TEMPERATURE: SensorErrors = { bias: 0.3, noise: 0.05, step: 0.1 }
/** Flow error of class 2 in practice, 1 to 2 %. */
export const FLOW: SensorErrors = { gain: 0.012, noise: 0.003, step: 0.001 }
export const PRESSURE: SensorErrors = { gain: 0.005, noise: 0.3, step: 0.1 }

/**
 * Builds a sensor. Offset and gain are drawn from `identity`, which must be the same after every restart; noise from
 * `noise`, which need not.
 */
export function createSensor(errors: SensorErrors, identity: Random, noise: Random): Sensor {
  const bias = drawNormal(identity, 0, errors.bias ?? 0)
  const gain = drawNormal(identity, 1, errors.gain ?? 0)
  const decimals = Math.round(-Math.log10(errors.step))
  return (truth) => {
    const shown = truth * gain + bias + drawNormal(noise, 0, errors.noise ?? 0)
    return Number((Math.round(shown / errors.step) * errors.step).toFixed(decimals))
  }
}
