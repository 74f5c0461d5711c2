import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import { celsius } from '@isotherm/kernel/quantities'
import { quantileOfSorted } from '@isotherm/kernel/statistics'
import { waterDensity } from '@isotherm/kernel/water-density'
import { heatCoefficient } from '@isotherm/thermal/water'
import { type HeatScale, toAmountFill, toFill, toScale } from '../../shared/section/heat-scale.ts'
import type { BalanceValve } from './indices/valve-query.ts'

/** Metrics that can colour the cross-section. */
export const cellMetrics = ['deviation', 'heat', 'flow', 'return', 'room', 'opening'] as const
export type CellMetric = (typeof cellMetrics)[number]

/** Default metric of each kind of balance. */
export const metricOfKind: Readonly<Record<BalanceKind, CellMetric>> = {
  temperature: 'deviation',
  sequence: 'flow',
  energy: 'heat',
  flow: 'flow',
}

export const cellDecimals: Readonly<Record<CellMetric, number>> = {
  deviation: 1,
  heat: 1,
  flow: 2,
  return: 1,
  room: 1,
  opening: 0,
}

/** Heat load of a valve per m², W/m²: P = k·q·ΔT of EN 1434-1, with the flow measured in the return. */
function toHeat({ flowM3H, supplyC, returnC, areaM2 }: BalanceValve): number | undefined {
  if (flowM3H === undefined || supplyC === undefined || returnC === undefined || !(areaM2 > 0))
    return undefined
  const coefficient = heatCoefficient(celsius(returnC), celsius((supplyC + returnC) / 2))
  return (coefficient * flowM3H * (supplyC - returnC) * 1_000) / areaM2
}

/** Flow of a valve per m², kg/(h·m²). */
function toSpecificFlow({ flowM3H, returnC, areaM2 }: BalanceValve): number | undefined {
  if (flowM3H === undefined || returnC === undefined || !(areaM2 > 0)) return undefined
  return (flowM3H * waterDensity(celsius(returnC))) / areaM2
}

/** Value of a metric at a valve, in the unit of the metric; undefined if not measured. */
export function findCellValue(valve: BalanceValve, metric: CellMetric): number | undefined {
  switch (metric) {
    case 'deviation':
      return valve.deviationK
    case 'heat':
      return toHeat(valve)
    case 'flow':
      return toSpecificFlow(valve)
    case 'return':
      return valve.returnC
    case 'room':
      return valve.roomC
    case 'opening':
      return valve.openingPct
  }
}

/** Valves in the worst tenth have the strongest colours. */
const FAR_SHARE = 0.9
/** Minimum half-width of the deviation scale, K, so that a balanced loop does not look unbalanced. */
const MIN_DEVIATION_K = 1

/** Scale of a metric: symmetric around 0 for deviations, 0 to 100 for openings. */
export function toCellScale(values: readonly number[], metric: CellMetric): HeatScale | undefined {
  if (metric === 'opening') return { low: 0, high: 100 }
  if (metric !== 'deviation' || values.length === 0) return toScale(values)
  const ascending = values.map(Math.abs).toSorted((a, b) => a - b)
  const far = Math.max(MIN_DEVIATION_K, quantileOfSorted(ascending, FAR_SHARE))
  return { low: -far, high: far }
}

/** Colour of a position on the scale: amount colours for openings, else cold to warm. */
export const toCellFill = (share: number, metric: CellMetric): string =>
  metric === 'opening' ? toAmountFill(share) : toFill(share)
