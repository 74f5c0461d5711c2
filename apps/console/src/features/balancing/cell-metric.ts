import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import { celsius } from '@isotherm/kernel/quantities'
import { quantileOfSorted } from '@isotherm/kernel/statistics'
import { waterDensity } from '@isotherm/kernel/water-density'
import { heatCoefficient } from '@isotherm/thermal/water'
import { type HeatScale, toAmountFill, toFill, toScale } from '../../shared/section/heat-scale.ts'
import type { BalanceValve } from './indices/valve-query.ts'

/** What a valve in the cross-section may be coloured by. */
export const cellMetrics = ['deviation', 'heat', 'flow', 'return', 'room', 'opening'] as const
export type CellMetric = (typeof cellMetrics)[number]

/** What each kind of balance makes equal is what its page colours by. */
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

/** Heat through a valve for each m² behind it, W/m²: P = k·q·ΔT of EN 1434-1, the flow measured in the return. */
function toHeat({ flowM3H, supplyC, returnC, areaM2 }: BalanceValve): number | undefined {
  if (flowM3H === undefined || supplyC === undefined || returnC === undefined || !(areaM2 > 0))
    return undefined
  const coefficient = heatCoefficient(celsius(returnC), celsius((supplyC + returnC) / 2))
  return (coefficient * flowM3H * (supplyC - returnC) * 1_000) / areaM2
}

/** Flow through a valve for each m² behind it, kg/(h·m²). */
function toSpecificFlow({ flowM3H, returnC, areaM2 }: BalanceValve): number | undefined {
  if (flowM3H === undefined || returnC === undefined || !(areaM2 > 0)) return undefined
  return (flowM3H * waterDensity(celsius(returnC))) / areaM2
}

/** What a valve has of a metric, in the metric's unit; undefined where it is not measured. */
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

/** Valves as far off as the worst tenth have the strongest colours. */
const FAR_SHARE = 0.9
/** A loop within a kelvin of its mean is not painted as if it were far off. */
const LEAST_DEVIATION_K = 1

/** The scale of some values of a metric: deviations around none, openings from nought to a hundred. */
export function toCellScale(values: readonly number[], metric: CellMetric): HeatScale | undefined {
  if (metric === 'opening') return { low: 0, high: 100 }
  if (metric !== 'deviation' || values.length === 0) return toScale(values)
  const ascending = values.map(Math.abs).toSorted((a, b) => a - b)
  const far = Math.max(LEAST_DEVIATION_K, quantileOfSorted(ascending, FAR_SHARE))
  return { low: -far, high: far }
}

/** The colour of a share of a metric's scale: openings from none to the accent, all else from cold to warm. */
export const toCellFill = (share: number, metric: CellMetric): string =>
  metric === 'opening' ? toAmountFill(share) : toFill(share)
