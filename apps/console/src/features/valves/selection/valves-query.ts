import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions, experimental_streamedQuery as streamedQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { listValves, noValves, type Valves } from './list-valves.ts'

/** Valves per page of the list, and per request of last commands. */
export const PAGE_SIZE = 1_000
/** The registry changes rarely; live values are pushed separately. */
export const REGISTRY_FRESH_MS = 5 * MINUTE_MS

/** All valves below the nodes, page by page, in tree order. No nodes: all that the user may see. */
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
      reducer: (listed: Valves, page: Valves) => ({
        ...page,
        devices: [...listed.devices, ...page.devices],
      }),
    }),
    // An incomplete list is stale at once, so that a return to the page completes it.
    staleTime: ({ state }) => (state.data?.isWhole ? REGISTRY_FRESH_MS : 0),
  })
