import { setImmediate } from 'node:timers/promises'
import { createGate, type Gate } from '@isotherm/kernel/gate'
import type { NetworkService } from '../../network/index.ts'

/** Lookups in the tree that all connections make at the same time after a change. */
export type Lookups = Pick<NetworkService, 'findParts' | 'findKeys' | 'showsCompany'>

/** Concurrent queries of all connections together. The other database connections are for requests. */
export const LOOKUPS_AT_ONCE = 4

/** Equal lookups share the answer if they are made before the query starts. After that the answer might be too old. */
function share<Args extends readonly unknown[], Answer>(
  gate: Gate,
  request: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  const waiting = new Map<string, Promise<Answer>>()
  return (...args) => {
    const key = JSON.stringify(args)
    const shared = waiting.get(key)
    if (shared) return shared
    const answer = gate(async () => {
      // Listeners of the same event call within the same iteration of the event loop.
      await setImmediate()
      waiting.delete(key)
      return request(...args)
    })
    waiting.set(key, answer)
    return answer
  }
}

/** Wraps the lookups: each query runs once for all connections, and few run at the same time. */
export function shareLookups(network: Lookups): Lookups {
  const gate = createGate({ running: LOOKUPS_AT_ONCE })
  return {
    findParts: share(gate, network.findParts),
    findKeys: share(gate, network.findKeys),
    showsCompany: share(gate, network.showsCompany),
  }
}
