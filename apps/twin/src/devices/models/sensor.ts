import { toM3H } from '@isotherm/hydraulics/elements/water'
import { type Random, sampleNormal } from '@isotherm/kernel/random'

/** Errors of a sensor: fixed offset, fixed gain error, noise of each reading (all standard deviations) and step. */
export interface SensorErrors {
  readonly bias?: number
  readonly gain?: number
  readonly noise?: number
  readonly step: number
}

/** Shown value for a true value. */
export type Sensor = (truth: number) => number

/** Clip-on or pocket sensor of a valve: offset 0.1 K, resolution 0.1 K. */
export const PIPE_TEMPERATURE: SensorErrors = { bias: 0.12, noise: 0.04, step: 0.1 }
export const METER_TEMPERATURE: SensorErrors = { bias: 0.05, noise: 0.01, step: 0.01 }
/** 0.3 K for the sensor and 0.4 K for its position in the room. */
export const ROOM_TEMPERATURE: SensorErrors = { bias: 0.5, noise: 0.05, step: 0.1 }
/** A capacitive probe, per cent of the ground's volume. */
export const SOIL_MOISTURE: SensorErrors = { bias: 1, noise: 0.1, step: 0.1 }
export const PRESSURE: SensorErrors = { gain: 0.005, noise: 0.3, step: 0.1 }

/**
 * Creates a sensor. Offset and gain are sampled from `identity`, which must be the same after every restart; noise is sampled
 * from `noise`, which can differ.
 */
export function createSensor(errors: SensorErrors, identity: Random, noise: Random): Sensor {
  const bias = sampleNormal(identity, 0, errors.bias ?? 0)
  const gain = sampleNormal(identity, 1, errors.gain ?? 0)
  const decimals = Math.round(-Math.log10(errors.step))
  return (truth) => {
    const shown = truth * gain + bias + sampleNormal(noise, 0, errors.noise ?? 0)
    return Number((Math.round(shown / errors.step) * errors.step).toFixed(decimals))
  }
}

/** Meters are sized for slightly more than the design flow. */
const PERMANENT_RESERVE = 1.5

/** Permanent flow q_p of the meter chosen for a design flow, m³/h. */
export const permanentFlow = (designKgS: number): number => PERMANENT_RESERVE * toM3H(designKgS)

/** Steps in which flow is shown, m³/h; standard deviation of a reading relative to it. */
const FLOW_STEP = 0.001
const FLOW_NOISE = 0.003
/** A meter does not register flows below this share of its permanent flow. */
const STARTING_SHARE = 1 / 250

/**
 * A flow meter of class 2 for a permanent flow q_p in m³/h: it typically errs by 1 + 0.01·q_p/q %, at most by twice
 * that and never by more than 5 % (EN 1434-1; balancing.md B.7).
 */
export function createFlowSensor(permanentM3H: number, identity: Random, noise: Random): Sensor {
  const share = Math.min(2, Math.max(-2, sampleNormal(identity, 0, 1)))
  return (truth) => {
    const wobble = sampleNormal(noise, 0, FLOW_NOISE)
    if (truth <= 0 || truth < permanentM3H * STARTING_SHARE) return 0
    const limit = Math.min(0.025, 0.01 + (0.0001 * permanentM3H) / truth)
    const shown = truth * (1 + share * limit + wobble)
    return Number((Math.round(shown / FLOW_STEP) * FLOW_STEP).toFixed(3))
  }
}
