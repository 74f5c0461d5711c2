import { isReportedBy, type MetricName, metricNames } from '@isotherm/contract/metrics'

/** What is looked at most, in the order in which a page lists it. */
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

/** Everything a valve may report, as the pages list it: what is looked at most, then the rest of the registry. */
export const historyMetrics: readonly MetricName[] = [...new Set([...shownFirst, ...metricNames])].filter(
  (name) => isReportedBy(name, 'valve'),
)

/** What stands among a valve's newest values: the usual, and of the rest what this valve reports. */
export const toShownMetrics = (
  reported: Readonly<Partial<Record<MetricName, number>>>,
): readonly MetricName[] => historyMetrics.filter((name) => first.has(name) || reported[name] !== undefined)
