import { setImmediate } from 'node:timers/promises'
import type { NetworkService } from '../network/index.ts'

/** What connections look up in the tree when it changed, all of them at the same time. */
export type Lookups = Pick<NetworkService, 'findParts' | 'findKeys' | 'showsCompany'>

/** Questions under way, of all connections together: the others of the database's connections are for requests. */
export const LOOKUPS_AT_ONCE = 4

type Limit = <Answer>(task: () => Promise<Answer>) => Promise<Answer>

function createLimit(most: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running < most) running += 1
    else await new Promise<void>((proceed) => waiting.push(proceed))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Whoever asks the same before the question is put shares its answer; after that it might be too old for them. */
function share<Args extends readonly unknown[], Answer>(
  limit: Limit,
  ask: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  const waiting = new Map<string, Promise<Answer>>()
  return (...args) => {
    const key = JSON.stringify(args)
    const shared = waiting.get(key)
    if (shared) return shared
    const answer = limit(async () => {
      // Those who heard the same news ask within this round of the event loop.
      await setImmediate()
      waiting.delete(key)
      return ask(...args)
    })
    waiting.set(key, answer)
    return answer
  }
}

/** The same lookups for any number of connections: each question once, few at the same time. */
export function shareLookups(network: Lookups): Lookups {
  const limit = createLimit(LOOKUPS_AT_ONCE)
  return {
    findParts: share(limit, network.findParts),
    findKeys: share(limit, network.findKeys),
    showsCompany: share(limit, network.showsCompany),
  }
}
