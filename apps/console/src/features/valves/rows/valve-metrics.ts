import { isReportedBy, type MetricName, metricNames } from '@isotherm/contract/metrics'

/** The most used metrics, in display order. */
const shownFirst = [
  'valve.opening',
  'valve.target',
  'temp.supply',
  'temp.return',
  'heat.flow',
  'pressure.diff',
  'bat.v',
  'rssi',
] as const satisfies readonly MetricName[]
const first: ReadonlySet<MetricName> = new Set(shownFirst)

/** All metrics that a valve may report: the most used ones first, then the rest of the registry. */
export const historyMetrics: readonly MetricName[] = [...new Set([...shownFirst, ...metricNames])].filter(
  (name) => isReportedBy(name, 'valve'),
)

/** The metrics shown for a valve: the most used ones, and others that it reports. */
export const toShownMetrics = (
  reported: Readonly<Partial<Record<MetricName, number>>>,
): readonly MetricName[] => historyMetrics.filter((name) => first.has(name) || reported[name] !== undefined)
