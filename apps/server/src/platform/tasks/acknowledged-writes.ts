import { createWriteQueue, type WriteQueueOptions } from './write-queue.ts'

export interface AcknowledgedWritesOptions<Item>
  extends Pick<WriteQueueOptions<Item>, 'clock' | 'gatherMs' | 'maxBatch' | 'write' | 'isRefusal'> {
  /** A write failed. Its items are not retried: their senders repeat them. */
  readonly onFailed?: WriteQueueOptions<Item>['onFailed']
}

/** Stores an item in a batch with others. Resolves once it is stored; rejects if it is refused or the write fails. */
export type AcknowledgedWrite<Item> = (item: Item) => Promise<void>

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const toItems = <Item>(waiting: readonly Waiting<Item>[]): readonly Item[] => waiting.map(({ item }) => item)

/** A write queue whose senders wait until their own item is stored. */
export function createAcknowledgedWrites<Item>({
  write,
  onFailed,
  ...options
}: AcknowledgedWritesOptions<Item>): AcknowledgedWrite<Item> {
  const queue = createWriteQueue<Waiting<Item>>({
    ...options,
    async write(waiting) {
      await write(toItems(waiting))
      for (const { resolve } of waiting) resolve()
    },
    onRefused: ({ item, error }) => item.reject(error),
    onFailed(error, waiting) {
      onFailed?.(error, toItems(waiting))
      for (const { reject } of waiting) reject(error)
    },
  })
  return (item) =>
    new Promise((resolve, reject) => {
      queue.put({ item, resolve, reject })
    })
}
