import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { createWriteQueue, type WriteQueue } from '../../../platform/tasks/write-queue.ts'
import type { Change } from '../engine/watches.ts'

export interface ChangeQueueNeeds {
  readonly write: (changes: readonly Change[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

const GATHER_MS = 100
const RETRY_MS = 1_000
const MAX_BATCH = 5_000

/**
 * Stores changes of alarms in order, and retries while the database is unavailable. Its size has no limit, because the log of
 * alarms must contain every change.
 */
export const createChangeQueue = ({ write, clock, log }: ChangeQueueNeeds): WriteQueue<Change> =>
  createWriteQueue({
    clock,
    gatherMs: GATHER_MS,
    maxBatch: MAX_BATCH,
    retryMs: RETRY_MS,
    write,
    isRefusal: isDataError,
    onRefused: ({ item, error }) =>
      log.error(
        { err: error, change: item },
        'the database rejected a change of an alarm; the change is dropped',
      ),
    onFailed: (error, changes) =>
      log.warn({ err: error, changes: changes.length }, 'could not store changes of alarms; retrying'),
  })
