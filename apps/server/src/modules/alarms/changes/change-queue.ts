import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import { type Change, toWatchKey } from '../engine/watches.ts'

export interface JournalNeeds {
  readonly write: (changes: readonly Change[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Puts changes down in batches, in their order, and again when the store was away. */
export interface Journal {
  put(change: Change): void
  /** Changes that are not put down yet. */
  size(): number
  /** The watches they are of, by toWatchKey. */
  listWaiting(): ReadonlySet<string>
  /** Puts down what there is; resolves when it is, or could not be. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Changes that come together are put down together. */
const GATHER_MS = 100
const RETRY_MS = 1_000
const MOST_AT_ONCE = 5_000

export function createJournal({ write, clock, log }: JournalNeeds): Journal {
  let waiting: Change[] = []
  let timer: Timer | undefined
  let writing: Promise<void> | undefined
  let closed = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE)
      // What is refused for ever is given up alone, so that it keeps nothing else waiting.
      for (const { item, error } of await bisect(batch, write, isDataError))
        log.error({ err: error, change: item }, 'a change of an alarm cannot be put down and is given up')
      waiting = waiting.slice(batch.length)
    }
  }

  function plan(delayMs: number): void {
    if (closed || timer) return
    timer = clock.setTimeout(() => {
      timer = undefined
      flush()
    }, delayMs)
  }

  function flush(): Promise<void> {
    writing ??= writeAll()
      .catch((error: unknown) => {
        log.warn({ err: error, changes: waiting.length }, 'alarms wait for the database')
        plan(RETRY_MS)
      })
      .finally(() => {
        writing = undefined
      })
    return writing
  }

  return {
    put(change) {
      waiting.push(change)
      plan(GATHER_MS)
    },
    size: () => waiting.length,
    listWaiting: () => new Set(waiting.map(toWatchKey)),
    async flush() {
      // What was put while the last batch was on its way is in none yet.
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
