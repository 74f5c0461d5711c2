import type { RegistryChange } from '../../../platform/signals/registry-signal.ts'

/** The parts of the registry that must be read again. */
export interface RegistryReads {
  readonly everything: boolean
  readonly ids: readonly number[]
  /** Subtrees whose devices must be read. */
  readonly paths: readonly string[]
}

/** Above these numbers of devices or subtrees everything is read. */
const MAX_IDS = 50_000
const MAX_PATHS = 200

/** Collects changes while another read runs. */
export interface PendingReads {
  add(change: RegistryChange): void
  /** Returns the collected reads and clears them; undefined when there are none. */
  take(): RegistryReads | undefined
  /** Adds failed reads again. */
  restore(reads: RegistryReads): void
}

export function createPendingReads(): PendingReads {
  let everything = false
  const ids = new Set<number>()
  const paths = new Set<string>()

  function gather(reads: RegistryReads): void {
    everything ||= reads.everything
    for (const id of reads.ids) ids.add(id)
    for (const path of reads.paths) paths.add(path)
    everything ||= ids.size > MAX_IDS || paths.size > MAX_PATHS
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
    restore: gather,
  }
}
