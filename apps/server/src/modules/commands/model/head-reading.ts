import type { MetricName } from '@isotherm/contract/metrics'

/** Measured head of a station, kPa: supply minus return pressure, or its differential pressure. */
export function toHeadKpa(find: (metric: MetricName) => number | undefined): number | undefined {
  const [supply, back] = [find('pressure.supply'), find('pressure.return')]
  return supply === undefined || back === undefined ? find('pressure.diff') : supply - back
}
