import type { MetricName } from '@isotherm/contract/metrics'
import {
  type HeatScale,
  toAmountFill,
  toScale,
  toFill as toWarmthFill,
} from '../../../shared/section/heat-scale.ts'
import { findMetric, type ValveRow } from '../rows/valve-row.ts'

/** The metrics that may colour a cell. */
export const sectionMetrics = [
  'temp.return',
  'temp.supply',
  'valve.opening',
  'heat.flow',
  'pressure.diff',
] as const satisfies readonly MetricName[]
export type SectionMetric = (typeof sectionMetrics)[number]

/** Openings are always scaled from 0 to 100 %. */
const WHOLE: HeatScale = { low: 0, high: 100 }

/** The scale of a metric over the rows; undefined if no row has a value. */
export const toRowScale = (rows: readonly ValveRow[], metric: SectionMetric): HeatScale | undefined =>
  metric === 'valve.opening' ? WHOLE : toScale(rows.flatMap(({ state }) => findMetric(state, metric) ?? []))

/** The colour of a share of the scale: openings up to the accent colour, other metrics from cold to warm. */
export const toFill = (share: number, metric: SectionMetric): string =>
  metric === 'valve.opening' ? toAmountFill(share) : toWarmthFill(share)
