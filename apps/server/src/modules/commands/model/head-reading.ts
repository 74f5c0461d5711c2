import type { MetricName } from '@isotherm/contract/metrics'

/** Head of a station by what it measures, kPa: between supply and return, or its own difference. */
export function toHeadKpa(find: (metric: MetricName) => number | undefined): number | undefined {
  const [supply, back] = [find('pressure.supply'), find('pressure.return')]
  return supply === undefined || back === undefined ? find('pressure.diff') : supply - back
}
