import type { Vauser } from '@isotherm/contract/endpoints/network'
import type { NodeList } from '@isotherm/tree/tree'
import { createNameOrder, type NameOrder, toAddressList } from '../lists/address-list.ts'
import type { Steps } from '../lists/in-slices.ts'

/** The sub-users of a company, found by the area they stand in. */
export interface SubUsers {
  /** Those whose `info.pids` is the chain, without the one marked for testing. */
  in(chain: string): readonly Vauser[]
  /** Puts the list of one area in place of what was known of it. */
  replace(chain: string, users: readonly Vauser[]): void
  readonly test: Vauser | undefined
  /** Order of the company's names: what was ordered once is known. */
  readonly toOrder: NameOrder
  /**
   * Below a row of the test-marked sub-user: every address of every sub-user, once. Worked out once for all
   * the areas it stands in.
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
  /** By level of the sub-user, with keys that lack the sub-user's own. */
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
