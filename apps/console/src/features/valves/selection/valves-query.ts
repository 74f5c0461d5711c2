import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions, experimental_streamedQuery as streamedQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { listValves, noValves, type Valves } from './list-valves.ts'

/** Valves are listed, and their commands asked for, so many at a time. */
export const PAGE_SIZE = 1_000
/** The registry changes seldom; live values come by another way. */
export const REGISTRY_FRESH_MS = 5 * MINUTE_MS

/** All valves below the nodes, page by page, in tree order; no nodes means all the user is granted. */
export const valvesQuery = (nodes: readonly NodeKey[]) =>
  queryOptions<Valves>({
    queryKey: ['valves', 'devices', nodes],
    queryFn: streamedQuery({
      streamFn: ({ signal }) =>
        listValves((page) => {
          const limiter = { page, size: PAGE_SIZE }
          return call(getDevsFromPrjTree, { nodes: [...nodes], kinds: ['valve'], limiter }, { signal })
        }),
      refetchMode: 'replace',
      initialValue: noValves,
      reducer: (held: Valves, page: Valves) => ({ ...page, devices: [...held.devices, ...page.devices] }),
    }),
    // Who leaves while they are listed finds the part that was when coming back.
    staleTime: ({ state }) => (state.data?.isWhole ? REGISTRY_FRESH_MS : 0),
  })
