import { HOUR_MS, MINUTE_MS } from '../durations.ts'

const NAME = /^isotherm-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** An older last backup is a fault. A daily one may take hours. */
export const MAX_BACKUP_AGE_MS = 30 * HOUR_MS

/** Differences of the clocks of machines that share a folder. */
const TOLERANCE_MS = 10 * MINUTE_MS

/** Name of the folder of a backup, for example isotherm-20261127T023000Z. Names sort by time. */
export const toBackupName = (at: number): string =>
  `isotherm-${new Date(at).toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '')}`

/** When a backup was made by its name, Unix ms; undefined for other names. */
export function readBackupTime(name: string): number | undefined {
  const at = NAME.test(name) ? Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z')) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Latest instant whose date can be true, Unix ms. */
export const toLatest = (now: number): number => now + TOLERANCE_MS

/**
 * Whether a backup is dated in the future: a clock was wrong when it was made, or is wrong now. Its age is unknown, so
 * it does not count as a recent backup.
 */
export const isDatedInFuture = (at: number, now: number): boolean => at > toLatest(now)
