import type { Clock, Timer } from '../clock.ts'
import { bisect, type RejectedItem } from './bisect.ts'

export interface WriteQueueOptions<Item> {
  readonly clock: Pick<Clock, 'setTimeout'>
  /** Items that arrive within this time are written together, ms. 0 writes at once, or after the current write. */
  readonly gatherMs: number
  /** Largest number of items in one write. Without it, a write contains all items that were gathered. */
  readonly maxBatch?: number
  /** Number of items at the front of a possible batch that one write may contain, at least 1. Default: all. */
  readonly countBatch?: (items: readonly Item[]) => number
  /** Stores items together. */
  readonly write: (items: readonly Item[]) => Promise<void>
  /** Whether the store refuses items because of their content, so that a retry cannot succeed. */
  readonly isRefusal: (error: unknown) => boolean
  /** The store refuses this item by itself. It leaves the queue; the other items of its batch are stored. */
  readonly onRefused: (refused: RejectedItem<Item>) => void
  /** A write failed, for example because the store is unavailable. `items` are those of the batch that are not stored. */
  readonly onFailed: (error: unknown, items: readonly Item[]) => void
  /** Pause before the items of a failed write are retried, ms. Without it they leave the queue. */
  readonly retryMs?: number
  /** Limit of waiting items. Above it the older half is dropped. */
  readonly overflow?: { readonly maxWaiting: number; readonly onDropped: (count: number) => void }
}

/** Writes items to a store in batches and in order, one batch after the other. */
export interface WriteQueue<Item> {
  put(item: Item): void
  /** Items that are not stored yet, the oldest first. */
  listWaiting(): readonly Item[]
  /** Number of items that are not stored yet. */
  size(): number
  /** Writes all waiting items now. Resolves also if that fails. */
  flush(): Promise<void>
  /** Writes all waiting items once more and starts no further write. */
  close(): Promise<void>
}

/** Creates a write queue. Each item must be put only once. */
export function createWriteQueue<Item>(options: WriteQueueOptions<Item>): WriteQueue<Item> {
  const { clock, gatherMs, maxBatch, countBatch, write, isRefusal, onRefused, onFailed, retryMs, overflow } =
    options
  /** Items of the current batch that are not stored yet. */
  const inBatch = new Set<Item>()
  /** Items whose time to gather is over, the oldest first. */
  let due: readonly Item[] = []
  let gathering: Item[] = []
  let timer: Timer | undefined
  let current: Promise<void> = Promise.resolve()
  let isWriting = false
  let isClosed = false

  function takeBatch(): readonly Item[] {
    const most = due.slice(0, maxBatch)
    const batch = countBatch ? most.slice(0, countBatch(most)) : most
    due = due.slice(batch.length)
    for (const item of batch) inBatch.add(item)
    return batch
  }

  async function writePart(items: readonly Item[]): Promise<void> {
    await write(items)
    for (const item of items) inBatch.delete(item)
  }

  /** Writes one batch. Returns whether the next one may follow at once. */
  async function writeBatch(): Promise<boolean> {
    const batch = takeBatch()
    try {
      const refused = await bisect(batch, writePart, isRefusal)
      inBatch.clear()
      for (const one of refused) onRefused(one)
      return true
    } catch (error) {
      const failed = [...inBatch]
      inBatch.clear()
      if (retryMs !== undefined) due = [...failed, ...due]
      onFailed(error, failed)
      if (retryMs === undefined) return true
      schedule(retryMs)
      return false
    }
  }

  async function writeDue(): Promise<void> {
    isWriting = true
    while (due.length > 0 && (await writeBatch()));
    isWriting = false
  }

  /** Starts to write everything that waits. */
  function start(): Promise<void> {
    due = due.concat(gathering)
    gathering = []
    if (!isWriting) current = writeDue()
    return current
  }

  function schedule(delayMs: number): void {
    if (isClosed) return
    timer ??= clock.setTimeout(() => {
      timer = undefined
      start()
    }, delayMs)
  }

  function dropOldest(maxWaiting: number): void {
    const waiting = due.concat(gathering)
    due = []
    gathering = waiting.slice(-Math.ceil(maxWaiting / 2))
    overflow?.onDropped(waiting.length - gathering.length)
  }

  const size = (): number => inBatch.size + due.length + gathering.length

  async function flush(): Promise<void> {
    // The current batch does not contain items that were put during its write.
    await current
    await start()
  }

  return {
    put(item) {
      gathering.push(item)
      if (overflow && size() > overflow.maxWaiting) dropOldest(overflow.maxWaiting)
      if (gatherMs === 0 && !timer) start()
      else schedule(gatherMs)
    },
    listWaiting: () => [...inBatch, ...due, ...gathering],
    size,
    flush,
    async close() {
      isClosed = true
      timer?.cancel()
      await flush()
    },
  }
}
