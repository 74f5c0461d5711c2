import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { BatchNews } from './batches.pg.ts'

/** A batch is told of no more often than this, ms. */
const GATHER_MS = 500

export interface BatchNewsNeeds {
  readonly find: (ids: readonly string[]) => Promise<readonly BatchNews[]>
  readonly tell: (news: BatchNews) => void
  readonly clock: Clock
  readonly log: Log
}

/** Gathers which batches got on and tells how far they are, all of a moment together. */
export function createBatchNews({ find, tell, clock, log }: BatchNewsNeeds) {
  const changed = new Set<string>()
  let isPlanned = false

  async function tellAll(): Promise<void> {
    const ids = [...changed]
    changed.clear()
    for (const news of await find(ids)) tell(news)
  }

  return {
    note(batchId: string): void {
      changed.add(batchId)
      if (isPlanned) return
      isPlanned = true
      clock.setTimeout(() => {
        isPlanned = false
        tellAll().catch((error: unknown) => log.warn({ err: error }, 'could not tell how far a batch is'))
      }, GATHER_MS)
    },
  }
}
