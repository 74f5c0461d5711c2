import type { LatestUpdate } from '../messages/latest-update.ts'
import type { StoredRun } from '../messages/message-key.ts'
import type { ReadingMessage } from '../messages/sample.ts'

/** Where readings are kept. Every method rejects when the store is away. */
export interface ReadingStore {
  /**
   * Stores the rows of all messages in one insert, which `attempt` names; resolved, they are durable. Rejects with
   * RefusedRowsError when some cannot be stored for what they hold; then none is.
   */
  insert(messages: readonly ReadingMessage[], attempt: string): Promise<void>
  /**
   * Keys (toMessageKey) of those messages whose rows are all stored, after an insert with an unknown outcome.
   * Parts of a message are never among them: stored again, their rows are folded. Rejects while that insert still
   * runs, for it may yet store them.
   */
  findStored(messages: readonly ReadingMessage[], attempt: string): Promise<ReadonlySet<string>>
  /**
   * Calls `take` for the messages that were stored in all their months since an instant (Unix ms), or of which nothing
   * more is kept, boot by boot.
   */
  readStored(since: number, take: (run: StoredRun) => void): Promise<void>
  /**
   * Calls `take` for the newest live value of each metric of each device that was measured since an instant (Unix ms),
   * and has arrived since another.
   */
  readLatest(
    range: { readonly since: number; readonly receivedSince?: number },
    take: (update: LatestUpdate) => void,
  ): Promise<void>
  /** One of the devices that has readings, of whatever age; undefined when none has any. */
  findHeard(deviceIds: readonly number[]): Promise<number | undefined>
}
