import type { Vauser } from '@isotherm/contract/endpoints/network'

/** The sub-users of a company, found by the area they stand in. */
export interface SubUsers {
  /** Those whose `info.pids` is the chain, without the one marked for testing. */
  in(chain: string): readonly Vauser[]
  /** Puts the list of one area in place of what was known of it. */
  replace(chain: string, users: readonly Vauser[]): void
  readonly test: Vauser | undefined
  /** Every address of every sub-user, once. */
  addresses(): readonly string[]
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
  return {
    in: (chain) => byChain.get(chain) ?? [],
    replace: (chain, users) =>
      void byChain.set(
        chain,
        users.filter((user) => !user.test),
      ),
    test,
    addresses() {
      const union = new Set(test?.addrlist)
      for (const users of byChain.values())
        for (const { addrlist } of users) for (const each of addrlist) union.add(each)
      return [...union]
    },
  }
}
