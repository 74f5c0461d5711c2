import { AppError } from '../app-error.ts'

/** Wait that is suggested to a rejected caller, s. */
const RETRY_AFTER_S = 30

export interface ReaderSlots {
  /** Throws request.too-many when the account already uses a slot, or none is free. */
  requireFree(accountId: number): void
  /** Occupies a slot from the first item that is read until the end, or until the reader stops. */
  readInSlot<Item>(accountId: number, open: () => AsyncIterable<Item>): AsyncGenerator<Item>
}

/**
 * Limits how many sequences are read at once: `count` in all and one per account. Callers are rejected instead of queued,
 * because a slow reader would block all others.
 */
export function createReaderSlots(count: number): ReaderSlots {
  const readers = new Set<number>()

  function requireFree(accountId: number): void {
    if (readers.size < count && !readers.has(accountId)) return
    throw new AppError('request.too-many', { retryAfterS: RETRY_AFTER_S })
  }

  return {
    requireFree,
    async *readInSlot(accountId, open) {
      requireFree(accountId)
      readers.add(accountId)
      try {
        yield* open()
      } finally {
        readers.delete(accountId)
      }
    },
  }
}
