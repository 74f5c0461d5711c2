import type { ReadingMessage } from '../messages/sample.ts'

/** Inserts readings. Every method rejects while the store is away. */
export interface ReadingStore {
  /**
   * Stores the rows of all messages in one insert with the id `attempt`. They are durable once it resolves. Rejects with
   * RefusedRowsError if the store refuses some rows because of their content; then no row is stored.
   */
  insert(messages: readonly ReadingMessage[], attempt: string): Promise<void>
  /**
   * Keys (toMessageKey) of the messages that are stored with all their rows; for an insert with an unknown outcome. Parts
   * of a message are never included: if they are stored again, the engine merges the equal rows. Rejects while the
   * insert is still running, because it may store them later.
   */
  findStored(messages: readonly ReadingMessage[], attempt: string): Promise<ReadonlySet<string>>
}
