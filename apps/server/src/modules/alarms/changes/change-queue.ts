import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import { type Change, toWatchKey } from '../engine/watches.ts'

export interface ChangeQueueNeeds {
  readonly write: (changes: readonly Change[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Stores changes in batches and in order, and retries while the database is away. */
export interface ChangeQueue {
  put(change: Change): void
  /** Number of changes that are not stored yet. */
  size(): number
  /** Keys (toWatchKey) of the watches with waiting changes. */
  listWaiting(): ReadonlySet<string>
  /** Stores the waiting changes. Resolves also if that fails. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Changes within this time are stored together. */
const GATHER_MS = 100
const RETRY_MS = 1_000
const MOST_AT_ONCE = 5_000

export function createChangeQueue({ write, clock, log }: ChangeQueueNeeds): ChangeQueue {
  let waiting: Change[] = []
  let timer: Timer | undefined
  let writing: Promise<void> | undefined
  let closed = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE)
      // A change that the database rejects is dropped, so that it does not block the others.
      for (const { item, error } of await bisect(batch, write, isDataError))
        log.error(
          { err: error, change: item },
          'the database rejected a change of an alarm; the change is dropped',
        )
      waiting = waiting.slice(batch.length)
    }
  }

  function schedule(delayMs: number): void {
    if (closed || timer) return
    timer = clock.setTimeout(() => {
      timer = undefined
      flush()
    }, delayMs)
  }

  function flush(): Promise<void> {
    writing ??= writeAll()
      .catch((error: unknown) => {
        log.warn({ err: error, changes: waiting.length }, 'could not store changes of alarms; retrying')
        schedule(RETRY_MS)
      })
      .finally(() => {
        writing = undefined
      })
    return writing
  }

  return {
    put(change) {
      waiting.push(change)
      schedule(GATHER_MS)
    },
    size: () => waiting.length,
    listWaiting: () => new Set(waiting.map(toWatchKey)),
    async flush() {
      // Changes that were added during the last write are not in it.
      await writing
      await flush()
    },
    async close() {
      closed = true
      timer?.cancel()
      await writing
      await flush()
    },
  }
}
