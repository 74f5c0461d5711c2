import { metrics } from '@isotherm/contract/metrics'
import { type MapMetric, type MapPlace, mapMetrics } from '@isotherm/contract/network/map'
import { type HeatScale, toAmountFill, toFill, toScale } from '../../../shared/section/heat-scale.ts'

/** The colourings of the map: device state, or a metric. */
export const colourings = ['health', ...mapMetrics] as const
export type ColourBy = 'health' | MapMetric

/** The metric of a colouring; undefined for device state. */
export const toMetric = (by: ColourBy): MapMetric | undefined => (by === 'health' ? undefined : by)

/** Temperatures are coloured from cold to warm, other metrics by amount. */
const isAmount = (by: ColourBy): boolean => by !== 'health' && metrics[by].unit !== '°C'

/** Openings are always scaled from 0 to 100 %. */
const WHOLE: HeatScale = { low: 0, high: 100 }

/** The scale of the values of a colouring; undefined without values or scale. */
export function toOwnScale(by: ColourBy, values: readonly number[]): HeatScale | undefined {
  if (by === 'health') return undefined
  return by === 'valve.opening' ? WHOLE : toScale(values)
}

/** Colour strength on the map, %: stronger than in tables, because no figures are printed on it. */
const STRONGEST_PCT = 80

/** The colour of a share of the scale, on the map, in the legend and in the list. */
export const toShareFill = (by: ColourBy, share: number): string =>
  isAmount(by) ? toAmountFill(share, STRONGEST_PCT) : toFill(share, STRONGEST_PCT)

export const healths = ['good', 'caution', 'alarm', 'none'] as const satisfies readonly MapPlace['health'][]

/** Colours of the device states. */
export const healthFills: Readonly<Record<MapPlace['health'], string>> = {
  good: 'var(--good)',
  caution: 'var(--caution)',
  alarm: 'var(--alarm)',
  none: 'var(--muted)',
}
