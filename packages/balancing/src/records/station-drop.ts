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
  /** Electric power of the circulation pump. */
  readonly pumpW?: number | undefined
}

/** Usual loss of an exchanger and a strainer at the design flow, Pa, and its relative standard deviation. */
const USUAL_PA = 50_000
const USUAL_SIGMA = 0.4
/** A loss that pumps are compared with takes at most this share of the measured head. */
const MAX_SHARE = 0.5
/** Efficiency of a circulation pump with its motor, and its standard deviation. */
const PUMP = { efficiency: 0.62, sigma: 0.08 } as const
/** Power beyond this multiple of what the measured head takes is not that of this loop's pump alone. */
const MAX_POWER = 4
/** Error of a difference of two pressures, Pa, and relative error of the loss of recorded pipes. */
const GAUGE_PA = 2_000
const MAINS_SIGMA = 0.4
/** Range of the relative standard deviation. A tenth of the loss stays if the taps show none. */
const SIGMA = { least: 0.1, most: 0.9 } as const
const MIN_PA = 0.1 * USUAL_PA

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

interface Known {
  readonly pa: number
  readonly sigmaPa: number
}

/** Mean of the losses that each measured consumer leaves, weighted by their variances; near ones say the most. */
function byPressures(records: LoopRecords, readings: StationReadings): Known | undefined {
  const { network } = records.loop
  const pipeFlow = sumFlows(network, fillFlows(records, readings), new Float64Array(network.pipeCount))
  const path = pathLosses(network, pipeFlow, new Float64Array(network.pipeCount + 1))
  const own = path[0] ?? 0
  let [weight, mean] = [0, 0]
  for (const [i, shown] of (readings.dropPa ?? []).entries()) {
    if (!(shown > 0)) continue
    const mains = (path[network.circuitNode[i] ?? 0] ?? 0) - own
    const precision = 1 / (GAUGE_PA ** 2 + (MAINS_SIGMA * mains) ** 2)
    weight += precision
    mean += precision * (readings.headPa - shown - mains)
  }
  // Errors of the mains are common to many consumers, so their number hardly lowers the error.
  return weight > 0 ? { pa: mean / weight, sigmaPa: Math.max(GAUGE_PA, 1 / Math.sqrt(weight)) } : undefined
}

/** Present loss by the pump: power beyond what the measured head takes is lost outside of its taps. */
function byPump({ headPa, totalKgS, pumpW = Number.NaN }: StationReadings, usual: Known): Known | undefined {
  const shaftPa = (pumpW * WARM_WATER.densityKgM3) / totalKgS
  if (!(shaftPa > headPa && shaftPa <= MAX_POWER * headPa)) return undefined
  const outsidePa = Math.max(0, PUMP.efficiency * shaftPa - headPa)
  const sigmaPa = Math.hypot(PUMP.sigma * shaftPa, usual.sigmaPa)
  return { pa: usual.pa - outsidePa, sigmaPa }
}

/**
 * Loss of exchanger and strainer between the taps of the station's head. Pressures at consumers identify it: what the
 * mains do not explain. Otherwise the power of the pump shows whether the exchanger is between the taps at all.
 * Otherwise it is the usual one with its uncertainty, which snapshots at other flows narrow (identify-loop.ts). `records`
 * need the loss of no station: that of their first pipe is not used. Worked example: station-drop.test.ts.
 */
export function estimateStationDrop(records: LoopRecords, readings: StationReadings): StationDrop {
  const { headPa, totalKgS } = readings
  const assumed: StationDrop = { dropPa: USUAL_PA, sigma: USUAL_SIGMA, source: 'assumed' }
  if (!(headPa > 0 && totalKgS > 0)) return assumed
  const atDesign = (sum(records.designKgS) / totalKgS) ** 2
  const usualPa = Math.min(USUAL_PA / atDesign, MAX_SHARE * headPa)
  const usual: Known = { pa: usualPa, sigmaPa: assumed.sigma * usualPa }
  const toDrop = ({ pa, sigmaPa }: Known, source: StationDrop['source']): StationDrop => {
    const dropPa = Math.max(MIN_PA / atDesign, Math.min(pa, headPa)) * atDesign
    const sigma = (sigmaPa * atDesign) / dropPa
    return { dropPa, sigma: Math.min(SIGMA.most, Math.max(SIGMA.least, sigma)), source }
  }
  const measured = byPressures(records, readings)
  if (measured) return toDrop(measured, 'pressures')
  const pumped = byPump(readings, usual)
  return pumped ? toDrop(pumped, 'pump') : assumed
}
