import { AppError } from '../../../platform/app-error.ts'

/** Runs a search of an account when it is its turn. Throws request.too-many when too many wait already. */
export type SearchTurns = <Result>(accountId: number, search: () => Promise<Result>) => Promise<Result>

/** A search holds two connections of the process's pool of twelve. */
const MOST_TOGETHER = 4
const MOST_OF_ACCOUNT = 2
/** Who types fast asks anew before the answer is there; whoever asks more than that is no typist. */
const MOST_WAITING_OF_ACCOUNT = 4
const MOST_WAITING = 40

/** Each search ends within a few seconds, so that a place in the queue is worth half a second or so. */
const RETRY_AFTER_S = 1

interface Waiting {
  readonly accountId: number
  readonly begin: () => void
}

/** Keeps searches of one account, and of all of them, from taking the whole process. */
export function createSearchTurns(): SearchTurns {
  const underWay = new Map<number, number>()
  const waiting: Waiting[] = []
  let together = 0

  const isFree = (accountId: number): boolean =>
    together < MOST_TOGETHER && (underWay.get(accountId) ?? 0) < MOST_OF_ACCOUNT

  function take(accountId: number): void {
    together += 1
    underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1)
  }

  function leave(accountId: number): void {
    together -= 1
    const left = (underWay.get(accountId) ?? 1) - 1
    if (left === 0) underWay.delete(accountId)
    else underWay.set(accountId, left)
    const next = waiting.findIndex((other) => isFree(other.accountId))
    const [first] = next < 0 ? [] : waiting.splice(next, 1)
    if (!first) return
    take(first.accountId)
    first.begin()
  }

  async function waitForTurn(accountId: number): Promise<void> {
    if (isFree(accountId)) return take(accountId)
    const own = waiting.filter((other) => other.accountId === accountId).length
    if (own >= MOST_WAITING_OF_ACCOUNT || waiting.length >= MOST_WAITING) {
      throw new AppError('request.too-many', { retryAfterS: RETRY_AFTER_S })
    }
    await new Promise<void>((begin) => waiting.push({ accountId, begin }))
  }

  return async (accountId, search) => {
    await waitForTurn(accountId)
    try {
      return await search()
    } finally {
      leave(accountId)
    }
  }
}
