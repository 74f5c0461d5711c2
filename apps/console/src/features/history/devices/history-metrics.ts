import type { DeviceKind } from '@isotherm/contract/devices'
import { isReportedBy, type MetricName, metricNames } from '@isotherm/contract/metrics'

/** The most used metrics, in display order. */
const shownFirst = [
  'temp.room',
  'valve.opening',
  'valve.target',
  'temp.supply',
  'temp.return',
  'heat.flow',
  'heat.power',
  'pressure.diff',
] as const satisfies readonly MetricName[]

const ordered: readonly MetricName[] = [...new Set([...shownFirst, ...metricNames])]

/** Every metric, the most used ones first. */
export const historyMetrics = ordered

/** Metrics that devices of some kinds may report, the most used ones first. */
export const listMetrics = (kinds: readonly DeviceKind[]): readonly MetricName[] =>
  ordered.filter((name) => kinds.some((kind) => isReportedBy(name, kind)))

/** Metrics that are shown first for devices of a kind. */
export const defaultMetrics: Readonly<Record<DeviceKind, readonly MetricName[]>> = {
  valve: ['valve.opening', 'temp.supply', 'temp.return', 'heat.flow'],
  'room-sensor': ['temp.room'],
  'heat-meter': ['heat.power', 'heat.flow', 'temp.supply', 'temp.return'],
  station: ['temp.supply', 'temp.return', 'temp.outdoor', 'pressure.diff'],
  concentrator: ['temp.outdoor'],
  sensor: ['heat.flow', 'pressure.supply', 'rain.total', 'soil.moisture'],
}
