import type { MetricName } from '@isotherm/contract/metrics'
import { findMetric, type ValveRow } from '../valve-row.ts'

/** What a cell may be coloured by. */
export const sectionMetrics = [
  'temp.return',
  'temp.supply',
  'valve.opening',
  'heat.flow',
  'pressure.diff',
] as const satisfies readonly MetricName[]
export type SectionMetric = (typeof sectionMetrics)[number]

/** Ends of the colours: values beyond them look like them. */
export interface HeatScale {
  readonly low: number
  readonly high: number
}

/** Outliers do not stretch the colours: this share lies beyond each end. */
const TAIL = 0.02
/** Openings have ends of their own. */
const WHOLE: HeatScale = { low: 0, high: 100 }

/** A scale for what rows show of a metric; undefined when none of them shows it. */
export function toScale(rows: readonly ValveRow[], metric: SectionMetric): HeatScale | undefined {
  if (metric === 'valve.opening') return WHOLE
  const values = rows.flatMap(({ state }) => findMetric(state, metric) ?? []).toSorted((a, b) => a - b)
  const last = values.length - 1
  const low = values[Math.floor(last * TAIL)]
  const high = values[Math.ceil(last * (1 - TAIL))]
  return low === undefined || high === undefined ? undefined : { low, high }
}

/** Where a value lies between the ends: 0 to 1; the middle where all values are the same. */
export function toShare(value: number, { low, high }: HeatScale): number {
  if (high <= low) return 0.5
  return Math.min(1, Math.max(0, (value - low) / (high - low)))
}

/** How strong the colour at an end is, %: figures on it stay readable in light and dark. */
const STRONGEST_PCT = 45

/**
 * The colour of a share: from the colour of return water over none to that of supply water; openings from none to the
 * accent.
 */
export function toFill(share: number, metric: SectionMetric): string {
  const [ink, strength]: readonly [string, number] =
    metric === 'valve.opening'
      ? ['--accent', share]
      : share < 0.5
        ? ['--return', 1 - 2 * share]
        : ['--supply', 2 * share - 1]
  return `color-mix(in srgb, var(${ink}) ${Math.round(strength * STRONGEST_PCT)}%, var(--surface-2))`
}
