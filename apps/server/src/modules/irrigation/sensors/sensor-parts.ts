import type { SensorPart } from '@isotherm/contract/irrigation'
import type { MetricName } from '@isotherm/contract/metrics'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { readProfileMetrics } from '../../devices/index.ts'

/** Whether a device ever reported a metric: its newest value is known, whatever its quality is. */
export type HasReported = (deviceId: number, metric: MetricName) => boolean

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

/** The parts that a sensor can be, by what is known of the metrics that it reports. */
export const toParts = (isKnown: (metric: MetricName) => boolean): SensorPart[] =>
  (['meter', 'inlet', 'outlet', 'rain', 'probe'] as const).filter((part) => metricsOf[part].some(isKnown))

/**
 * The parts that sensors can be: by the profiles of their models, and by what they report, since the configuration of a gateway may read
 * a device by another profile. Sensors whose model has no profile are absent: they can be anything.
 */
export async function readParts(
  db: Database,
  hasReported: HasReported,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, SensorPart[]>> {
  const profiles = await readProfileMetrics(db, deviceIds)
  return new Map(
    [...profiles].map(([id, known]) => [
      id,
      toParts((metric) => known.has(metric) || hasReported(id, metric)),
    ]),
  )
}
