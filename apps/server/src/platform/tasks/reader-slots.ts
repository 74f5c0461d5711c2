import { AppError } from '../app-error.ts'

/** When whoever is refused may ask again. */
const RETRY_AFTER_S = 30

export interface Places {
  /** Throws request.too-many when the account has a place already, or all are taken. */
  need(accountId: number): void
  /** Has a place while items are read, from the first one asked for to the end or until it is given up. */
  inPlace<Item>(accountId: number, make: () => AsyncIterable<Item>): AsyncGenerator<Item>
}

/**
 * Lets at most `count` sequences be read at once, of each account one. Nobody waits: whoever reads slowly would keep
 * all others waiting.
 */
export function createPlaces(count: number): Places {
  const taken = new Set<number>()

  function need(accountId: number): void {
    if (taken.size < count && !taken.has(accountId)) return
    throw new AppError('request.too-many', { retryAfterS: RETRY_AFTER_S })
  }

  return {
    need,
    async *inPlace(accountId, make) {
      need(accountId)
      taken.add(accountId)
      try {
        yield* make()
      } finally {
        taken.delete(accountId)
      }
    },
  }
}
