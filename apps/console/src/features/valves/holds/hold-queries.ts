import type { ValveHold } from '@isotherm/contract/command'
import { getHolds } from '@isotherm/contract/endpoints/control/valve-holds'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Holds per page. */
const PAGE_SIZE = 1_000

export const holdKeys = {
  all: ['valves', 'holds'],
  below: (nodes: readonly NodeKey[]) => ['valves', 'holds', nodes],
} as const

/** All holds in force on valves below the nodes, in order of their end. No nodes: all that the user may see. */
export const holdsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: holdKeys.below(nodes),
    queryFn: async ({ signal }): Promise<readonly ValveHold[]> => {
      const holds: ValveHold[] = []
      for (let page = 1; ; page++) {
        const input = { nodes: [...nodes], limiter: { page, size: PAGE_SIZE } }
        const { datalist, total } = await call(getHolds, input, { signal })
        holds.push(...datalist)
        if (datalist.length === 0 || holds.length >= total) return holds
      }
    },
  })
