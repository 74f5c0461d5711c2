export interface DiskSpace {
  /** Bytes that an ordinary user can still write. */
  readonly freeBytes: number
  readonly totalBytes: number
}

/** Below either limit the state holds. A tenth of a large disk is months of readings, so each share has a size too. */
const limits = {
  /** Writes may fail within hours: an engine needs room to merge parts and to vacuum. */
  fault: { share: 0.03, bytes: 2e9, minBytes: 2e8 },
  warning: { share: 0.1, bytes: 1e10, minBytes: 1e9 },
} as const

/** Judges the free space: too little of the disk, and too few bytes; or very few bytes, however small the disk is. */
export function judgeSpace({ freeBytes, totalBytes }: DiskSpace): 'ok' | 'warning' | 'fault' {
  for (const state of ['fault', 'warning'] as const) {
    const { share, bytes, minBytes } = limits[state]
    const isScarce = freeBytes < totalBytes * share && freeBytes < bytes
    if (isScarce || freeBytes < minBytes) return state
  }
  return 'ok'
}

export const toSpaceText = ({ freeBytes, totalBytes }: DiskSpace): string =>
  `${(freeBytes / 1e9).toFixed(1)} of ${(totalBytes / 1e9).toFixed(1)} GB free`
