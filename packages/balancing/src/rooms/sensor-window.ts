import { median, quantile } from '@isotherm/kernel/statistics'

/** Readings of one sensor in the order of time: instants in s and values in the sensor's unit. */
export interface Series {
  readonly atS: ArrayLike<number>
  readonly value: ArrayLike<number>
}

/** What is believed of a sensor, in its own unit. */
export interface SensorLimits {
  readonly least: number
  readonly most: number
  /** Fastest believable change, units per hour, beyond one `step`. */
  readonly mostPerHour: number
  /** Step in which the sensor shows its value. */
  readonly step: number
}

/** A window of time: readings later than `fromS` up to `untilS` count; fewer than `leastReadings` say nothing. */
export interface Window {
  readonly fromS: number
  readonly untilS: number
  readonly leastReadings: number
}

/**
 * `good`: the median of what could be believed. `silent`: too few readings. `out-of-range`, `jumping`: too few are left
 * when those outside the limits, or those that come and go faster than physics, are taken away.
 */
export type WindowVerdict = 'good' | 'silent' | 'out-of-range' | 'jumping'

export interface WindowValue {
  readonly verdict: WindowVerdict
  /** Median; NaN unless `good`. */
  readonly value: number
  /** Highest minus lowest of what was believed: 0 may mean that the sensor is frozen (`findFrozen`). */
  readonly range: number
  readonly count: number
}

/** A PT1000 or NTC in water of a secondary network, °C. */
export const WATER_LIMITS: SensorLimits = { least: 2, most: 95, mostPerHour: 60, step: 0.1 }
/** A room, °C. */
export const ROOM_LIMITS: SensorLimits = { least: 2, most: 40, mostPerHour: 15, step: 0.1 }

/** Whether a value is further from its neighbours on both sides, in opposite directions, than the sensor could go. */
function isSpike(values: readonly number[], times: readonly number[], at: number, limits: SensorLimits) {
  const here = values[at] ?? 0
  const reach = (other: number): number => {
    const hours = Math.abs((times[at] ?? 0) - (times[other] ?? 0)) / 3600
    return limits.step + limits.mostPerHour * hours
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
 * median stands firm while less than half of the readings are wrong. Worked example: sensor-window.test.ts.
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
    if (!(value >= limits.least && value <= limits.most)) continue
    times.push(at)
    values.push(value)
  }
  const none = (verdict: WindowVerdict): WindowValue => ({ verdict, value: Number.NaN, range: 0, count: 0 })
  if (seen < window.leastReadings) return none('silent')
  if (values.length < window.leastReadings) return none('out-of-range')
  const kept = values.filter((_, index) => !isSpike(values, times, index, limits))
  if (kept.length < window.leastReadings) return none('jumping')
  const [low, high] = [quantile(kept, 0) ?? 0, quantile(kept, 1) ?? 0]
  return { verdict: 'good', value: median(kept) ?? Number.NaN, range: high - low, count: kept.length }
}

/** Steps by which others must have moved before one that stood still is called frozen. */
const MOVED_STEPS = 3

/**
 * Sensors that showed one value while most others of their kind moved: ranges over one window (NaN where not measured).
 * Where nothing moved nobody is accused.
 */
export function findFrozen(ranges: ArrayLike<number>, step: number): number[] {
  const usual = median(ranges)
  if (usual === undefined || usual < MOVED_STEPS * step) return []
  return Array.from(ranges, (range, index) => (range < step / 2 ? index : -1)).filter((index) => index >= 0)
}

/** `swapped`: the return is warmer than the supply by more than both sensors may err. */
export type PairVerdict = 'good' | 'swapped' | 'no-drop' | 'unknown'

/** Least drop from which a flow or a heat can be told, K. */
const LEAST_DROP_K = 0.5

/** Judges a supply and a return of one consumer, °C; `errorK` is what their difference may be off. */
export function judgePair(supplyC: number, returnC: number, errorK: number): PairVerdict {
  const drop = supplyC - returnC
  if (Number.isNaN(drop)) return 'unknown'
  if (drop < -errorK) return 'swapped'
  return drop < Math.max(LEAST_DROP_K, errorK) ? 'no-drop' : 'good'
}
