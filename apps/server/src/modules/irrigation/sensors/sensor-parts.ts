import type { SensorPart } from '@isotherm/contract/irrigation'
import type { MetricName } from '@isotherm/contract/metrics'

/**
 * What a sensor must report, one of these, to be a part of a source or a group. A meter must report its flow: the protections and the
 * learned expectation compare flows, and the differences of a volume come too late and too coarse for them.
 */
const metricsOf: Readonly<Record<SensorPart, readonly MetricName[]>> = {
  meter: ['heat.flow'],
  inlet: ['pressure.supply', 'pressure.return'],
  outlet: ['pressure.supply', 'pressure.return'],
  rain: ['rain.total'],
  probe: ['soil.moisture'],
}

/** The parts that a sensor can be, by the metrics of its profile. */
export const toParts = (known: ReadonlySet<MetricName>): SensorPart[] =>
  (['meter', 'inlet', 'outlet', 'rain', 'probe'] as const).filter((part) =>
    metricsOf[part].some((metric) => known.has(metric)),
  )
