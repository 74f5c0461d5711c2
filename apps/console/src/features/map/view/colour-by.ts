import { type MapMetric, type MapPlace, mapMetrics } from '@isotherm/contract/map'
import { metrics } from '@isotherm/contract/metrics'
import { type HeatScale, toAmountFill, toFill, toScale } from '../../../shared/heat-scale.ts'

/** What the map is coloured by: how the devices are, or a metric of theirs. */
export const colourings = ['health', ...mapMetrics] as const
export type ColourBy = 'health' | MapMetric

/** The metric that has to be asked for. */
export const toMetric = (by: ColourBy): MapMetric | undefined => (by === 'health' ? undefined : by)

/** Temperatures go from cold to warm; of all else there is little or much. */
const isAmount = (by: ColourBy): boolean => by !== 'health' && metrics[by].unit !== '°C'

/** Openings have ends of their own. */
const WHOLE: HeatScale = { low: 0, high: 100 }

/** A scale for values of it; undefined when there is none, or it has no scale. */
export function toOwnScale(by: ColourBy, values: readonly number[]): HeatScale | undefined {
  if (by === 'health') return undefined
  return by === 'valve.opening' ? WHOLE : toScale(values)
}

/** On the map a colour stands for itself, with no figures on it: so it is stronger than in tables, %. */
const STRONGEST_PCT = 80

/** The colour of a share of it, on the map, in its legend and its list. */
export const toShareFill = (by: ColourBy, share: number): string =>
  isAmount(by) ? toAmountFill(share, STRONGEST_PCT) : toFill(share, STRONGEST_PCT)

export const healths = ['good', 'caution', 'alarm', 'none'] as const satisfies readonly MapPlace['health'][]

/** The colour of how devices are. */
export const healthFills: Readonly<Record<MapPlace['health'], string>> = {
  good: 'var(--good)',
  caution: 'var(--caution)',
  alarm: 'var(--alarm)',
  none: 'var(--muted)',
}
