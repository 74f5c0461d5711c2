import type { RegistryChange } from '../../../platform/signals/registry-signal.ts'

/** What is to be read of the registry. */
export interface RegistryReads {
  readonly everything: boolean
  readonly ids: readonly number[]
  /** Subtrees whose devices are to be read. */
  readonly paths: readonly string[]
}

/** So many devices or subtrees are read one by one; of more everything is read. */
const MOST_IDS = 50_000
const MOST_PATHS = 200

/** Gathers what changes while something else is being read. */
export interface PendingReads {
  add(change: RegistryChange): void
  /** All that is gathered; nothing when that is nothing. */
  take(): RegistryReads | undefined
  /** Puts back what could not be read. */
  giveBack(reads: RegistryReads): void
}

export function createPendingReads(): PendingReads {
  let everything = false
  const ids = new Set<number>()
  const paths = new Set<string>()

  function gather(reads: RegistryReads): void {
    everything ||= reads.everything
    for (const id of reads.ids) ids.add(id)
    for (const path of reads.paths) paths.add(path)
    everything ||= ids.size > MOST_IDS || paths.size > MOST_PATHS
    if (!everything) return
    ids.clear()
    paths.clear()
  }

  return {
    add(change) {
      gather({
        everything: change.kind === 'everything',
        ids: change.kind === 'devices' ? change.ids : [],
        paths: change.kind === 'below' ? change.paths : [],
      })
    },
    take() {
      if (!everything && ids.size + paths.size === 0) return undefined
      const reads = { everything, ids: [...ids], paths: [...paths] }
      everything = false
      ids.clear()
      paths.clear()
      return reads
    },
    giveBack: gather,
  }
}
