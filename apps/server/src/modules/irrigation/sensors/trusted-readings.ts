import { DOUBTFUL_QUALITY, quality } from '@isotherm/contract/metrics'
import type { FindReading } from '../field.ts'

/** Values with one of these bits say nothing of the water, as they confirm no command. */
export const NOT_TRUSTED = DOUBTFUL_QUALITY | quality.stale | quality.substituted

/** Newest value of a metric of a device, with its quality bits. */
export type FindAnyReading = (
  deviceId: number,
  metric: string,
) => (NonNullable<ReturnType<FindReading>> & { readonly quality: number }) | undefined

/**
 * Finds newest values without those that are not trusted: a broken sensor must neither stop a pump nor hide a leak. Openings of valves
 * are found whatever their quality is: a valve counts as open until it is confirmed closed.
 */
export const createFindTrusted =
  (findAny: FindAnyReading): FindReading =>
  (deviceId, metric, which) => {
    const reading = findAny(deviceId, metric)
    const isTrusted =
      which === 'any' || metric === 'valve.opening' || ((reading?.quality ?? 0) & NOT_TRUSTED) === 0
    return isTrusted ? reading : undefined
  }
