import { setImmediate } from 'node:timers/promises'
import { createGate, type Gate } from '@isotherm/kernel/gate'
import type { NetworkService } from '../../network/index.ts'

/** What connections look up in the tree when it changed, all of them at the same time. */
export type Lookups = Pick<NetworkService, 'findParts' | 'findKeys' | 'showsCompany'>

/** Questions under way, of all connections together: the others of the database's connections are for requests. */
export const LOOKUPS_AT_ONCE = 4

/** Whoever asks the same before the question is put shares its answer; after that it might be too old for them. */
function share<Args extends readonly unknown[], Answer>(
  gate: Gate,
  ask: (...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer> {
  const waiting = new Map<string, Promise<Answer>>()
  return (...args) => {
    const key = JSON.stringify(args)
    const shared = waiting.get(key)
    if (shared) return shared
    const answer = gate(async () => {
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
  const gate = createGate({ running: LOOKUPS_AT_ONCE })
  return {
    findParts: share(gate, network.findParts),
    findKeys: share(gate, network.findKeys),
    showsCompany: share(gate, network.showsCompany),
  }
}
