import type { CommandState } from '@isotherm/contract/command'
import type { Clock } from '../../../platform/clock.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { createWriteQueue } from '../../../platform/tasks/write-queue.ts'
import type { ApplyEvent, EventEntry } from '../model/records.ts'
import { applyEvents } from './apply-events.pg.ts'

interface WaitingEvent {
  readonly entry: EventEntry
  readonly resolve: (state: CommandState | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Largest number of events in one transaction, so that it stays short. */
const MAX_BATCH = 500

/**
 * Creates a function that applies events. Events that arrive during a write are gathered and written together, because
 * thousands of devices answer a large batch at the same time. Each event resolves once it is stored. An event that
 * PostgreSQL rejects fails alone.
 */
export function createEventWriter(db: Database, clock: Pick<Clock, 'setTimeout'>): ApplyEvent {
  const queue = createWriteQueue<WaitingEvent>({
    clock,
    gatherMs: 0,
    maxBatch: MAX_BATCH,
    async write(waiting) {
      const entries = waiting.map(({ entry }) => entry)
      const states = await db.transaction().execute((transaction) => applyEvents(transaction, entries))
      for (const [index, { resolve }] of waiting.entries()) resolve(states[index])
    },
    isRefusal: isDataError,
    onRefused: ({ item, error }) => item.reject(error),
    // The device or the dispatcher repeats the event.
    onFailed(error, waiting) {
      for (const { reject } of waiting) reject(error)
    },
  })
  return (id, event, facts) =>
    new Promise((resolve, reject) => {
      queue.put({ entry: { id, event, facts }, resolve, reject })
    })
}
