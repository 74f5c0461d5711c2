import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { BatchUpdate } from './batches.pg.ts'

/** Shortest time between two updates of a batch, ms. */
const GATHER_MS = 500

export interface BatchUpdatesNeeds {
  readonly find: (ids: readonly string[]) => Promise<readonly BatchUpdate[]>
  readonly notify: (update: BatchUpdate) => void
  readonly clock: Clock
  readonly log: Log
}

/** Gathers changed batches and notifies of their progress at most every GATHER_MS. */
export function createBatchUpdates({ find, notify, clock, log }: BatchUpdatesNeeds) {
  const changed = new Set<string>()
  let isPlanned = false

  async function notifyAll(): Promise<void> {
    const ids = [...changed]
    changed.clear()
    for (const update of await find(ids)) notify(update)
  }

  return {
    /** Records that a batch changed. */
    recordChange(batchId: string): void {
      changed.add(batchId)
      if (isPlanned) return
      isPlanned = true
      clock.setTimeout(() => {
        isPlanned = false
        notifyAll().catch((error: unknown) =>
          log.warn({ err: error }, 'could not send the progress of a batch'),
        )
      }, GATHER_MS)
    },
  }
}
