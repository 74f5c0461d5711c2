import { WARM_WATER } from '@isotherm/hydraulics/elements/water'
import { sum } from '@isotherm/kernel/statistics'
import { pathLosses, sumFlows } from '../loop/loop-model.ts'
import type { LoopRecords } from './loop-records.ts'

/**
 * Where the loss of exchanger and strainer comes from: pressures at consumers; the power of the pump; or the usual
 * design.
 */
export const stationSources = ['pressures', 'pump', 'assumed'] as const

/** Loss between the points where the station's head is measured. */
export interface StationDrop {
  /** Pa at the design flow. */
  readonly dropPa: number
  /** Standard deviation relative to it. */
  readonly sigma: number
  readonly source: (typeof stationSources)[number]
}

/** Means of a time window; arrays by consumer, NaN if not known. */
export interface StationReadings {
  readonly headPa: number
  readonly totalKgS: number
  readonly meterKgS: Float64Array
  /** Differential pressure between supply and return at each consumer. */
  readonly dropPa?: Float64Array | undefined
  /** Electric power of the circulation pump, W. */
  readonly pumpW?: number | undefined
}

/** An exchanger with its strainer at the design flow: median, Pa, and standard deviation of the logarithm. */
const EXCHANGER = { pa: 50_000, sigma: 0.4 } as const
/** Loss between the pressure taps if the exchanger is outside of them: only headers and a strainer. */
const HEADERS = { pa: 5_000, sigma: 0.8 } as const
export const ASSUMED_DROP: StationDrop = { dropPa: EXCHANGER.pa, sigma: EXCHANGER.sigma, source: 'assumed' }
/** Probability that the exchanger is between the taps, before any evidence. */
const BETWEEN_SHARE = 0.5
/** A loss between the taps takes at most this share of the measured head. */
const MAX_SHARE = 0.6
/** Efficiency of a circulation pump with its motor and drive, and its standard deviation. */
const PUMP = { efficiency: 0.62, sigma: 0.08 } as const
/** Plausible power of this pump alone, as multiples of the hydraulic power at the measured head. */
const PUMP_RANGE = { min: 1.1, max: 4 } as const
/** Errors: of a difference of two pressures, Pa; of the loss of all mains together and of each way; of the head. */
const SIGMA = { gaugePa: 2_000, mains: 0.4, way: 0.2, head: 0.01 } as const
/** Deviations from which a gauge counts less: it is broken rather than inexact. */
const BROKEN = 3
const REWEIGHTS = 5
/** Range of the relative standard deviation of a result. */
const RELATIVE = { min: 0.1, max: 0.9 } as const
/** Losses at the design flow that are tried, Pa. */
const TRIED = Array.from({ length: 60 }, (_, at) => 1_000 * 10 ** (at / 24))

const normal = (miss: number, sigma: number): number => Math.exp(-((miss / sigma) ** 2) / 2) / sigma
const logNormal = (pa: number, usual: typeof EXCHANGER | typeof HEADERS): number =>
  normal(Math.log(pa / usual.pa), usual.sigma)

/** Flows of all consumers, kg/s: those without a meter share what is left of the station's flow by design. */
function fillFlows({ designKgS }: LoopRecords, { meterKgS, totalKgS }: StationReadings): Float64Array {
  const metered = sum(meterKgS.filter((flow) => flow >= 0))
  const rest = designKgS.filter((_, i) => !((meterKgS[i] ?? Number.NaN) >= 0))
  const share = rest.length === 0 ? 0 : Math.max(0, totalKgS - metered) / sum(rest)
  return designKgS.map((flow, i) => {
    const shown = meterKgS[i] ?? Number.NaN
    return shown >= 0 ? shown : share * flow
  })
}

/** What one consumer's pressure leaves for the station's loss, and the loss of the mains on its way, Pa. */
interface Way {
  readonly restPa: number
  readonly mainsPa: number
}

function waysOf(records: LoopRecords, readings: StationReadings): Way[] {
  const { network } = records.loop
  const pipeFlow = sumFlows(network, fillFlows(records, readings), new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  return Array.from(readings.dropPa ?? []).flatMap((shown, i): Way[] => {
    if (!(shown > 0)) return []
    const mainsPa = (path[network.circuitNode[i] ?? 0] ?? 0) - (path[0] ?? 0)
    return [{ restPa: readings.headPa - shown - mainsPa, mainsPa }]
  })
}

/**
 * Present loss by pressures, Pa, with its standard deviation: rest_i = loss + m·mains_i + error_i by generalised least
 * squares. The error m of the mains is common to all ways, so many far consumers say no more than a few.
 */
function byPressures(ways: readonly Way[], headPa: number): { pa: number; sigmaPa: number } | undefined {
  if (ways.length === 0) return undefined
  let found = { pa: 0, m: 0, sigmaPa: 0 }
  for (let round = 0; round <= REWEIGHTS; round++) {
    let [one, mixed, square, rest, both] = [0, 0, 1 / SIGMA.mains ** 2, 0, 0]
    for (const { restPa, mainsPa } of ways) {
      const sigma = Math.hypot(SIGMA.gaugePa, SIGMA.way * mainsPa)
      const off = round === 0 ? 0 : (restPa - found.pa - found.m * mainsPa) / sigma
      const weight = 1 / sigma ** 2 / (1 + (off / BROKEN) ** 2)
      one += weight
      mixed += weight * mainsPa
      square += weight * mainsPa ** 2
      rest += weight * restPa
      both += weight * mainsPa * restPa
    }
    const information = one - mixed ** 2 / square
    const pa = (rest - (mixed * both) / square) / information
    found = { pa, m: (both - mixed * pa) / square, sigmaPa: 1 / Math.sqrt(information) }
  }
  return { pa: found.pa, sigmaPa: Math.hypot(found.sigmaPa, SIGMA.head * headPa) }
}

/**
 * Pressure that the electric power of the pump would give at the measured flow without any loss, Pa. Undefined if the power is
 * implausible for this head, so that it must be that of another pump, or of several.
 */
function shaftOf({ headPa, totalKgS, pumpW = Number.NaN }: StationReadings): number | undefined {
  const shaftPa = (pumpW * WARM_WATER.densityKgM3) / totalKgS
  return shaftPa > PUMP_RANGE.min * headPa && shaftPa <= PUMP_RANGE.max * headPa ? shaftPa : undefined
}

/** Likelihood that the pump gives the measured head and loses this much outside of the taps, Pa. */
const byPump = (headPa: number, outsidePa: number, shaftPa: number): number =>
  normal((headPa + outsidePa) / shaftPa - PUMP.efficiency, PUMP.sigma)

/**
 * Loss of exchanger and strainer between the taps of the station's head. The exchanger is between the taps, with a
 * log-normal loss, or outside of them. Pressures at consumers show what the mains do not explain. The power of the
 * pump shows whether it has to overcome more than the measured head. Without both the usual loss is assumed. `records`
 * need the loss of no station: that of their first pipe is not used. Worked example: station-drop.test.ts.
 */
export function estimateStationDrop(records: LoopRecords, readings: StationReadings): StationDrop {
  const { headPa, totalKgS } = readings
  if (!(headPa > 0 && totalKgS > 0)) return ASSUMED_DROP
  // Present loss for each Pa at the design flow.
  const present = (totalKgS / sum(records.designKgS)) ** 2
  const measured = byPressures(waysOf(records, readings), headPa)
  const shaftPa = shaftOf(readings)
  if (measured === undefined && shaftPa === undefined) return ASSUMED_DROP
  const pumpBetween = shaftPa === undefined ? 1 : byPump(headPa, 0, shaftPa)
  let [whole, outside] = [0, 0]
  for (const pa of TRIED) {
    whole += logNormal(pa, EXCHANGER)
    outside += logNormal(pa, EXCHANGER) * (shaftPa === undefined ? 1 : byPump(headPa, present * pa, shaftPa))
  }
  const pumpOutside = outside / whole
  let [weight, mean, square] = [0, 0, 0]
  for (const pa of TRIED) {
    if (present * pa > MAX_SHARE * headPa) continue
    const prior =
      BETWEEN_SHARE * pumpBetween * logNormal(pa, EXCHANGER) +
      (1 - BETWEEN_SHARE) * pumpOutside * logNormal(pa, HEADERS)
    const own = prior * (measured ? normal(present * pa - measured.pa, measured.sigmaPa) : 1)
    weight += own
    mean += own * pa
    square += own * pa ** 2
  }
  if (!(weight > 0)) return ASSUMED_DROP
  const dropPa = mean / weight
  const sigma = Math.sqrt(Math.max(0, square / weight - dropPa ** 2)) / dropPa
  return {
    dropPa,
    sigma: Math.min(RELATIVE.max, Math.max(RELATIVE.min, sigma)),
    source: measured ? 'pressures' : 'pump',
  }
}

/**
 * Chooses between an earlier estimate of the loss and a new one: the earlier one, unless the new one has a better source, or
 * the same source and a difference larger than both errors together.
 */
export function chooseStationDrop(earlier: StationDrop, now: StationDrop): StationDrop {
  const [before, after] = [earlier, now].map(({ source }) => stationSources.indexOf(source))
  if (before !== after) return (after ?? 0) < (before ?? 0) ? now : earlier
  const error = Math.hypot(earlier.sigma * earlier.dropPa, now.sigma * now.dropPa)
  return Math.abs(now.dropPa - earlier.dropPa) > error ? now : earlier
}
