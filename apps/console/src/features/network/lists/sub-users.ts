import type { Vauser } from '@isotherm/contract/endpoints/network/network'
import type { NodeList } from '@isotherm/tree/tree'
import { createNameOrder, type NameOrder, toAddressList } from './address-list.ts'
import type { Steps } from './in-slices.ts'

/** The sub-users of a company, by residential area. */
export interface SubUsers {
  /** The sub-users whose `info.pids` is the chain, without the test-marked one. */
  in(chain: string): readonly Vauser[]
  /** Replaces the sub-users of one area. */
  replace(chain: string, users: readonly Vauser[]): void
  readonly test: Vauser | undefined
  /** Sorts names, with a cache per company. */
  readonly toOrder: NameOrder
  /**
   * The list below a row of the test-marked sub-user: every address of every sub-user, once. It is computed once for
   * all areas.
   */
  listUnion(key: string, level: number): Steps<NodeList>
}

export function createSubUsers(all: readonly Vauser[]): SubUsers {
  const byChain = new Map<string, Vauser[]>()
  for (const user of all) {
    if (user.test) continue
    const known = byChain.get(user.info.pids)
    if (known) known.push(user)
    else byChain.set(user.info.pids, [user])
  }
  const test = all.find((user) => user.test)
  const toOrder = createNameOrder()
  /** By level of the sub-user. The keys are without the key of the sub-user. */
  let unions = new Map<number, NodeList>()

  function addresses(): readonly string[] {
    const union = new Set(test?.addrlist)
    for (const users of byChain.values())
      for (const { addrlist } of users) for (const each of addrlist) union.add(each)
    return [...union]
  }

  return {
    in: (chain) => byChain.get(chain) ?? [],
    replace(chain, users) {
      unions = new Map()
      byChain.set(
        chain,
        users.filter((user) => !user.test),
      )
    },
    test,
    toOrder,
    *listUnion(key, level) {
      const before = unions
      const union = before.get(level) ?? (yield* toAddressList('', level, addresses(), toOrder))
      before.set(level, union)
      return { ...union, keys: union.keys.map((each) => key + each) }
    },
  }
}
