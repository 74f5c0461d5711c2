import { median, quantile } from '@isotherm/kernel/statistics'

/** Readings of one sensor in the order of time: instants in s and values in the sensor's unit. */
export interface Series {
  readonly atS: ArrayLike<number>
  readonly value: ArrayLike<number>
}

/** Plausible range of a sensor, in its own unit. */
export interface SensorLimits {
  readonly min: number
  readonly max: number
  /** Fastest plausible change, units per hour, beyond one `step`. */
  readonly maxPerHour: number
  /** Resolution of the sensor. */
  readonly step: number
}

/**
 * A window of time: readings after `fromS` up to `untilS` count; fewer than `minReadings` are not enough.
 */
export interface Window {
  readonly fromS: number
  readonly untilS: number
  readonly minReadings: number
}

/**
 * `good`: the median of the plausible readings. `silent`: too few readings. `out-of-range`: too few readings are within
 * the limits. `jumping`: too few are left without those that change faster than physics allows.
 */
export type WindowVerdict = 'good' | 'silent' | 'out-of-range' | 'jumping'

export interface WindowValue {
  readonly verdict: WindowVerdict
  /** Median; NaN unless `good`. */
  readonly value: number
  /** Highest minus lowest plausible reading: 0 can mean that the sensor is frozen (`findFrozen`). */
  readonly range: number
  readonly count: number
}

/** A PT1000 or NTC in water of a secondary network, °C. */
export const WATER_LIMITS: SensorLimits = { min: 2, max: 95, maxPerHour: 60, step: 0.1 }
/** A room, °C. */
export const ROOM_LIMITS: SensorLimits = { min: 2, max: 40, maxPerHour: 15, step: 0.1 }

/**
 * Whether a value differs from both neighbours, in opposite directions, by more than the sensor can change.
 */
function isSpike(values: readonly number[], times: readonly number[], at: number, limits: SensorLimits) {
  const here = values[at] ?? 0
  const reach = (other: number): number => {
    const hours = Math.abs((times[at] ?? 0) - (times[other] ?? 0)) / 3600
    return limits.step + limits.maxPerHour * hours
  }
  const before = at > 0 ? here - (values[at - 1] ?? here) : undefined
  const after = at + 1 < values.length ? here - (values[at + 1] ?? here) : undefined
  const isFarBefore = before !== undefined && Math.abs(before) > reach(at - 1)
  const isFarAfter = after !== undefined && Math.abs(after) > reach(at + 1)
  if (before === undefined || after === undefined) return isFarBefore || isFarAfter
  return isFarBefore && isFarAfter && before * after > 0
}

/**
 * The value of a sensor over a window: the median of its readings without those out of range and without spikes. A
 * median is not affected while less than half of the readings are wrong. Worked example: sensor-window.test.ts.
 */
export function readWindow(series: Series, limits: SensorLimits, window: Window): WindowValue {
  const times: number[] = []
  const values: number[] = []
  let seen = 0
  for (let i = 0; i < series.atS.length; i++) {
    const at = series.atS[i] ?? 0
    const value = series.value[i] ?? Number.NaN
    if (!(at > window.fromS && at <= window.untilS)) continue
    seen++
    if (!(value >= limits.min && value <= limits.max)) continue
    times.push(at)
    values.push(value)
  }
  const none = (verdict: WindowVerdict): WindowValue => ({ verdict, value: Number.NaN, range: 0, count: 0 })
  if (seen < window.minReadings) return none('silent')
  if (values.length < window.minReadings) return none('out-of-range')
  const plausible = values.filter((_, index) => !isSpike(values, times, index, limits))
  if (plausible.length < window.minReadings) return none('jumping')
  const [low, high] = [quantile(plausible, 0) ?? 0, quantile(plausible, 1) ?? 0]
  return {
    verdict: 'good',
    value: median(plausible) ?? Number.NaN,
    range: high - low,
    count: plausible.length,
  }
}

/** Minimum change of the other sensors, in steps, before one without change is called frozen. */
const MOVED_STEPS = 3

/**
 * Sensors with a constant value while most others of their kind changed: ranges over one window (NaN without
 * readings). If nothing changed, none is frozen.
 */
export function findFrozen(ranges: ArrayLike<number>, step: number): number[] {
  const usual = median(ranges)
  if (usual === undefined || usual < MOVED_STEPS * step) return []
  return Array.from(ranges, (range, index) => (range < step / 2 ? index : -1)).filter((index) => index >= 0)
}

/** `swapped`: the return is warmer than the supply by more than the error of both sensors. */
export type PairVerdict = 'good' | 'swapped' | 'no-drop' | 'unknown'

/** Minimum drop from which a flow or a heat can be computed, K. */
const MIN_DROP_K = 0.5

/** Judges supply and return of one consumer, °C; `errorK` is the maximum error of their difference. */
export function judgePair(supplyC: number, returnC: number, errorK: number): PairVerdict {
  const drop = supplyC - returnC
  if (Number.isNaN(drop)) return 'unknown'
  if (drop < -errorK) return 'swapped'
  return drop < Math.max(MIN_DROP_K, errorK) ? 'no-drop' : 'good'
}
