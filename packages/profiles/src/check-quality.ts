import type { QualityCheck } from '@isotherm/contract/device-profile'
import { type MetricName, metrics, quality } from '@isotherm/contract/metrics'

export interface CheckedReading {
  readonly metric: MetricName
  readonly value: number
  /** Quality bits of the contract; 0 is good. */
  readonly quality: number
}

/** Heat that a cubic metre of water carries per kelvin near 50 °C, kWh: density times heat capacity. */
const HEAT_KWH_M3_K = 1.148
/** The balance is checked only from this difference of temperatures, K, and flow, m³/h, on. */
const MIN_DIFFERENCE_K = 3
const MIN_FLOW_M3H = 0.02
/** Share of the balance by which a good meter may differ; its fields may be averages of different spans. */
const TOLERANCE = 0.25

const isOutside = (metric: MetricName, value: number): boolean => {
  const [min, max] = metrics[metric].range
  return value < min || value > max
}

/** Ratio of the shown power to that of flow and temperatures; undefined if a value is missing or too small for a check. */
export function toPowerRatio(values: ReadonlyMap<MetricName, number>): number | undefined {
  const [power, flow] = [values.get('heat.power'), values.get('heat.flow')]
  const [supply, back] = [values.get('temp.supply'), values.get('temp.return')]
  if (power === undefined || flow === undefined || supply === undefined || back === undefined)
    return undefined
  const difference = supply - back
  if (flow < MIN_FLOW_M3H || difference < MIN_DIFFERENCE_K) return undefined
  return power / (HEAT_KWH_M3_K * flow * difference)
}

/**
 * Sets the quality bits of a frame's readings. A power that contradicts flow and temperatures makes power and flow
 * doubtful: in most cases a wrong number of decimals in the profile, which shows as a ratio of 10, 100 or 1000.
 */
export function checkQuality(
  readings: readonly { readonly metric: MetricName; readonly value: number }[],
  checks: readonly QualityCheck[],
): readonly CheckedReading[] {
  const values = new Map(readings.map(({ metric, value }) => [metric, value]))
  const ratio = checks.includes('power-balance') ? toPowerRatio(values) : undefined
  const isOff = ratio !== undefined && Math.abs(ratio - 1) > TOLERANCE
  return readings.map(({ metric, value }) => {
    const outside = checks.includes('range') && isOutside(metric, value) ? quality.outOfRange : 0
    const implausible = isOff && (metric === 'heat.power' || metric === 'heat.flow') ? quality.implausible : 0
    return { metric, value, quality: outside | implausible }
  })
}
