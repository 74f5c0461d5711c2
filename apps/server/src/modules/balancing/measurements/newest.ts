import type { DeviceState } from '@isotherm/contract/devices'
import { DOUBTFUL_QUALITY, type MetricName } from '@isotherm/contract/metrics'

/** Newest value of a metric; NaN without one, if its device is silent, or if the reading is doubtful. */
export function newestOf(state: DeviceState | undefined, metric: MetricName): number {
  if (state === undefined || state.absence !== undefined || (state.quality & DOUBTFUL_QUALITY) !== 0)
    return Number.NaN
  return state.metrics[metric] ?? Number.NaN
}

/**
 * Head at a station, Pa: from its two pressures, or from a differential pressure sensor. NaN if neither is known.
 */
export function findHeadPa(station: DeviceState | undefined): number {
  const betweenKpa = newestOf(station, 'pressure.supply') - newestOf(station, 'pressure.return')
  return 1000 * (Number.isNaN(betweenKpa) ? newestOf(station, 'pressure.diff') : betweenKpa)
}
