import { median } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { findRoot } from '../numeric/find-root.ts'

/** Means of a time window by consumer; NaN without a reading. */
export interface RoomSnapshot {
  readonly outdoorC: number
  readonly supplyC: Float64Array
  readonly returnC: Float64Array
  readonly flowKgS: Float64Array
  readonly exponent: Float64Array
  readonly areaM2: Float64Array
  /** Standard deviation of the logarithm of each area: an estimated area says little about heat for each m². */
  readonly areaSigma?: Float64Array | undefined
  /**
   * Reading of one or more sensors in the consumer's rooms, °C, and its standard deviation from the mean of the
   * rooms, K.
   */
  readonly sensorC: Float64Array
  readonly sensorSigmaK: number
  /** Relative error of a measured heat. */
  readonly heatSigma: number
  /** 1 for a consumer whose room temperatures still change: its envelope is not used as a source. */
  readonly roomsMove?: Uint8Array | undefined
}

export interface RoomEstimate {
  readonly roomC: Float64Array
  readonly sigmaK: Float64Array
}

/** Standard deviation of a normal distribution, in median absolute deviations. */
const SCALE_OF_MAD = 1.4826
/** Minimum spread of ln K/A and of ln UA/A in a population of buildings. */
const MIN_SPREAD = 0.02
/** Number of sensors from which their differences show the spread of a population. */
const MIN_SENSORS = 3

/** Median of logarithms, and their spread without the contribution of the sensors' errors. */
function describePopulation(logs: Float64Array, noise: Float64Array): { middle: number; spread: number } {
  const middle = median(logs) ?? Number.NaN
  const observed = SCALE_OF_MAD * (median(logs.map((value) => Math.abs(value - middle))) ?? 0)
  const usualNoise = median(noise) ?? 0
  const shown = Math.sqrt(Math.max(0, observed ** 2 - usualNoise ** 2))
  const isFew = logs.filter((value) => !Number.isNaN(value)).length < MIN_SENSORS
  return { middle, spread: Math.max(MIN_SPREAD, shown, isFew ? usualNoise : 0) }
}

/** Nothing is known of a population. */
const NO_POPULATION = { middle: Number.NaN, spread: Number.NaN } as const

/**
 * Populations of emitters of each kind by their exponent. For each m² a floor has a different K than radiators, in another
 * unit.
 */
function describeEmitters(exponent: Float64Array, logs: Float64Array, noise: Float64Array) {
  return new Map(
    [...new Set(exponent)].map((kind) => {
      const isOf = (_: number, i: number): boolean => exponent[i] === kind
      return [kind, describePopulation(logs.filter(isOf), noise.filter(isOf))] as const
    }),
  )
}

/**
 * Mean room temperature of each consumer from three sources, weighted by their variances: the sensor, which is in one
 * room; the emitter, T_i with K·LMTD(T_s, T_r, T_i)^n = Q; and the envelope, T_o + Q/UA. K for each m² is
 * that of the population of consumers with the same kind of emitter, UA that of all consumers, learned from all sensors
 * together (empirical Bayes): many poor sensors give a good mean. Consumers without a sensor have the other two sources.
 * Worked example: room-estimate.test.ts.
 */
export function estimateRooms(snapshot: RoomSnapshot): RoomEstimate {
  const { outdoorC, supplyC, returnC, flowKgS, exponent, areaM2, sensorC, sensorSigmaK, heatSigma } = snapshot
  const isMoving = (i: number): boolean => snapshot.roomsMove?.[i] === 1
  const heat = flowKgS.map(
    (flow, i) => flow * WATER_HEAT_CAPACITY * ((supplyC[i] ?? Number.NaN) - (returnC[i] ?? Number.NaN)),
  )
  /** Log mean temperature difference between the emitter's water and a room, K. */
  const excess = (i: number, room: number): number =>
    logMeanDifference((supplyC[i] ?? Number.NaN) - room, (returnC[i] ?? Number.NaN) - room)
  const n = (i: number): number => exponent[i] ?? 1
  const areaSigma = (i: number): number => snapshot.areaSigma?.[i] ?? 0
  const heatPerM2 = (i: number): number => (heat[i] ?? Number.NaN) / (areaM2[i] ?? Number.NaN)
  const emitters = describeEmitters(
    exponent,
    sensorC.map((room, i) => Math.log(heatPerM2(i) / excess(i, room) ** n(i))),
    sensorC.map((room, i) => Math.hypot((n(i) * sensorSigmaK) / excess(i, room), heatSigma)),
  )
  const envelope = describePopulation(
    sensorC.map((room, i) => (isMoving(i) ? Number.NaN : Math.log(heatPerM2(i) / (room - outdoorC)))),
    sensorC.map((room) => Math.hypot(sensorSigmaK / (room - outdoorC), heatSigma)),
  )
  const roomC = new Float64Array(heat.length)
  const sigmaK = new Float64Array(heat.length)
  for (let i = 0; i < heat.length; i++) {
    const emitter = emitters.get(n(i)) ?? NO_POPULATION
    const neededK = (heatPerM2(i) / Math.exp(emitter.middle)) ** (1 / n(i))
    const byEmitter = findRoot(outdoorC, returnC[i] ?? Number.NaN, 1e-6, (room) => excess(i, room) - neededK)
    const byEnvelope = isMoving(i) ? Number.NaN : outdoorC + heatPerM2(i) / Math.exp(envelope.middle)
    const sources = [
      [sensorC[i] ?? Number.NaN, sensorSigmaK],
      [byEmitter, (neededK / n(i)) * Math.hypot(emitter.spread, heatSigma, areaSigma(i))],
      [byEnvelope, (byEnvelope - outdoorC) * Math.hypot(envelope.spread, heatSigma, areaSigma(i))],
    ] as const
    let sum = 0
    let weight = 0
    for (const [value, sigma] of sources) {
      if (!(Number.isFinite(value) && sigma > 0)) continue
      sum += value / sigma ** 2
      weight += 1 / sigma ** 2
    }
    roomC[i] = weight > 0 ? sum / weight : Number.NaN
    sigmaK[i] = weight > 0 ? 1 / Math.sqrt(weight) : Number.POSITIVE_INFINITY
  }
  return { roomC, sigmaK }
}
