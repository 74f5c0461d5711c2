import { isReportedBy, metricNames } from '@isotherm/contract/metrics'

/** Metrics that devices of the field report; those of gateways about themselves are not imported. */
export const importable = metricNames.filter(
  (name) =>
    !isReportedBy(name, 'concentrator') || isReportedBy(name, 'heat-meter') || isReportedBy(name, 'station'),
)
