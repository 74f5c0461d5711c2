import { AppError } from '../../../platform/app-error.ts'

/** Runs a search of an account as soon as the limits allow. Throws request.too-many if the queue is full. */
export type RunSearch = <Result>(accountId: number, search: () => Promise<Result>) => Promise<Result>

/** A search uses two connections of the process's pool of twelve. */
const MAX_RUNNING = 4
const MAX_RUNNING_OF_ACCOUNT = 2
/** A fast typist sends the next search before the answer to the last one; more than this is not typing. */
const MAX_WAITING_OF_ACCOUNT = 4
const MAX_WAITING = 40

/** Each search ends within a few seconds, so a place in the queue becomes free about every half second. */
const RETRY_AFTER_S = 1

interface Waiting {
  readonly accountId: number
  readonly start: () => void
}

/** Limits the searches running at once, per account and in total. The others wait in order of arrival. */
export function createSearchQueue(): RunSearch {
  const runningOf = new Map<number, number>()
  const waiting: Waiting[] = []
  let running = 0

  const mayRun = (accountId: number): boolean =>
    running < MAX_RUNNING && (runningOf.get(accountId) ?? 0) < MAX_RUNNING_OF_ACCOUNT

  function acquire(accountId: number): void {
    running += 1
    runningOf.set(accountId, (runningOf.get(accountId) ?? 0) + 1)
  }

  function release(accountId: number): void {
    running -= 1
    const left = (runningOf.get(accountId) ?? 1) - 1
    if (left === 0) runningOf.delete(accountId)
    else runningOf.set(accountId, left)
    const index = waiting.findIndex((other) => mayRun(other.accountId))
    const [next] = index < 0 ? [] : waiting.splice(index, 1)
    if (!next) return
    acquire(next.accountId)
    next.start()
  }

  async function waitForSlot(accountId: number): Promise<void> {
    if (mayRun(accountId)) return acquire(accountId)
    const own = waiting.filter((other) => other.accountId === accountId).length
    if (own >= MAX_WAITING_OF_ACCOUNT || waiting.length >= MAX_WAITING) {
      throw new AppError('request.too-many', { retryAfterS: RETRY_AFTER_S })
    }
    await new Promise<void>((start) => waiting.push({ accountId, start }))
  }

  return async (accountId, search) => {
    await waitForSlot(accountId)
    try {
      return await search()
    } finally {
      release(accountId)
    }
  }
}
