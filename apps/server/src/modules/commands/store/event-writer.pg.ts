import type { CommandState } from '@isotherm/contract/command'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import type { ApplyEvent, EventEntry } from '../model/records.ts'
import { applyEvents } from './apply-events.pg.ts'

interface WaitingEvent {
  readonly entry: EventEntry
  readonly resolve: (state: CommandState | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Most events in one transaction, so that it stays short. */
const BATCH_SIZE = 500

/**
 * Creates a function that applies events. Events that arrive during a write are gathered and written together, because
 * thousands of devices answer a large batch at the same time. Each event resolves once it is stored. An event that
 * PostgreSQL rejects fails alone.
 */
export function createEventWriter(db: Database): ApplyEvent {
  const waiting: WaitingEvent[] = []
  let isWriting = false

  async function writeTogether(group: readonly WaitingEvent[]): Promise<void> {
    const entries = group.map(({ entry }) => entry)
    const states = await db.transaction().execute((transaction) => applyEvents(transaction, entries))
    for (const [index, { resolve }] of group.entries()) resolve(states[index])
  }

  async function write(group: readonly WaitingEvent[]): Promise<void> {
    try {
      for (const { item, error } of await bisect(group, writeTogether, isDataError)) item.reject(error)
    } catch (error) {
      // Has no effect on events that are stored already.
      for (const { reject } of group) reject(error)
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) await write(waiting.splice(0, BATCH_SIZE))
    isWriting = false
  }

  return (id, event, facts) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry: { id, event, facts }, resolve, reject })
      if (!isWriting) writeAll()
    })
}
