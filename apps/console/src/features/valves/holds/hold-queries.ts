import type { ValveHold } from '@isotherm/contract/command'
import { getHolds } from '@isotherm/contract/endpoints/valve-holds'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Holds in one answer. */
const AT_ONCE = 1_000

export const holdKeys = {
  all: ['valves', 'holds'],
  below: (nodes: readonly NodeKey[]) => ['valves', 'holds', nodes],
} as const

/** Every hold that stands on a valve below the nodes, those that end first first; no nodes means everywhere. */
export const holdsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: holdKeys.below(nodes),
    queryFn: async ({ signal }): Promise<readonly ValveHold[]> => {
      const holds: ValveHold[] = []
      for (let page = 1; ; page++) {
        const input = { nodes: [...nodes], limiter: { page, size: AT_ONCE } }
        const { datalist, total } = await call(getHolds, input, { signal })
        holds.push(...datalist)
        if (datalist.length === 0 || holds.length >= total) return holds
      }
    },
  })
