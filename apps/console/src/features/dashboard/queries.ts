import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

/** Refetch interval of the home page while visible, ms. */
const REFETCH_MS = 5_000
const RECENT_COMMANDS = 8

export const homeKey = ['dashboard'] as const

/** Figures of the network below the nodes; no nodes means all accessible ones. */
export const figuresQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'figures', nodes],
    queryFn: ({ signal }) => call(getNetworkFigures, { nodes: [...nodes] }, { signal, quiet: true }),
    refetchInterval: REFETCH_MS,
  })

/** The newest commands below the nodes. */
export const recentCommandsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'commands', nodes],
    queryFn: ({ signal }) =>
      call(
        getCtlLog,
        { nodes: [...nodes], limiter: { page: 1, size: RECENT_COMMANDS } },
        { signal, quiet: true },
      ),
    refetchInterval: REFETCH_MS,
  })
