import type { LatestUpdate } from './latest-values.ts'
import type { QuarantineEntry } from './quarantine.ts'
import type { ReadingMessage } from './sample.ts'

/** Names a message across all nodes. */
export const toMessageKey = (message: Pick<ReadingMessage, 'node' | 'boot' | 'seq'>): string =>
  `${message.node}:${message.boot}:${message.seq}`

export interface StoredMessage {
  readonly node: number
  readonly boot: number
  readonly seq: number
}

/** Messages of a node's boot by their numbers, both ends included. */
export interface StoredRun {
  readonly node: number
  readonly boot: number
  readonly from: number
  readonly to: number
}

export const toRun = ({ node, boot, seq }: StoredMessage): StoredRun => ({ node, boot, from: seq, to: seq })

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
  /** Rejects as `insert` does. */
  insertQuarantine(entries: readonly QuarantineEntry[]): Promise<void>
}
