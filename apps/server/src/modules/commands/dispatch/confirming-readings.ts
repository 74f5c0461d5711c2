import { DOUBTFUL_QUALITY, type MetricName, quality } from '@isotherm/contract/metrics'
import type { DirectoryEntry } from '../../devices/index.ts'
import { toHeadKpa } from '../model/head-reading.ts'

/** Live values of one device at one instant, after they are stored. */
export interface StoredReading {
  readonly device: Pick<DirectoryEntry, 'id' | 'kind' | 'concentratorId'>
  /** Instant of the measurement, Unix ms. */
  readonly ts: number
  readonly values: readonly {
    readonly metric: MetricName
    readonly value: number
    /** Quality bits (packages/contract/src/metrics.ts). */
    readonly quality: number
  }[]
}

/** A value with one of these bits confirms no command. A value with a corrected clock does. */
const NOT_CONFIRMING = DOUBTFUL_QUALITY | quality.stale | quality.substituted | quality.maintenance

/**
 * The values of a reading that can confirm a command: the opening of a valve in %, the head of a station in kPa, and the
 * offset of its heating curve in K. Only a station has a head and an offset. Undefined if the reading has no such value or
 * its quality is not sufficient.
 */
export function findConfirmingValues({ device, values }: StoredReading): {
  readonly openingPct: number | undefined
  readonly headKpa: number | undefined
  readonly offsetK: number | undefined
} {
  const find = (metric: MetricName): number | undefined => {
    const found = values.find((value) => value.metric === metric)
    return found && (found.quality & NOT_CONFIRMING) === 0 ? found.value : undefined
  }
  return {
    openingPct: find('valve.opening'),
    headKpa: device.kind === 'station' ? toHeadKpa(find) : undefined,
    offsetK: device.kind === 'station' ? find('supply.offset') : undefined,
  }
}
