import type { MetricName } from '@isotherm/contract/metrics'
import { type HeatScale, toAmountFill, toScale, toFill as toWarmthFill } from '../../../shared/heat-scale.ts'
import { findMetric, type ValveRow } from '../rows/valve-row.ts'

/** What a cell may be coloured by. */
export const sectionMetrics = [
  'temp.return',
  'temp.supply',
  'valve.opening',
  'heat.flow',
  'pressure.diff',
] as const satisfies readonly MetricName[]
export type SectionMetric = (typeof sectionMetrics)[number]

/** Openings have ends of their own. */
const WHOLE: HeatScale = { low: 0, high: 100 }

/** A scale for what rows show of a metric; undefined when none of them shows it. */
export const toRowScale = (rows: readonly ValveRow[], metric: SectionMetric): HeatScale | undefined =>
  metric === 'valve.opening' ? WHOLE : toScale(rows.flatMap(({ state }) => findMetric(state, metric) ?? []))

/** The colour of a share: openings from none to the accent, all else from cold to warm. */
export const toFill = (share: number, metric: SectionMetric): string =>
  metric === 'valve.opening' ? toAmountFill(share) : toWarmthFill(share)
