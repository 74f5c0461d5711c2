import type { CampaignState } from '@isotherm/contract/balancing/campaign'
import { getCampaigns } from '@isotherm/contract/endpoints/control/balancing'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getIrrigation } from '@isotherm/contract/endpoints/control/irrigation'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { getRooms, getRoomVisits } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getWeather } from '@isotherm/contract/endpoints/monitoring/weather'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import { type NodeKey, ROOT_KEY } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

/** Refetch interval of the home page while visible, ms. */
const REFETCH_MS = 5_000
const RECENT_COMMANDS = 8
const SHOWN_CAMPAIGNS = 6
const SHOWN_FINDINGS = 6
const SHOWN_ROOMS = 6
const SHOWN_VISITS = 6
/** What changes slowly, ms. */
const SLOW_REFETCH_MS = 30_000

/** States of campaigns that run or wait for a decision. */
const activeStates = [
  'executing',
  'paused',
  'settling',
  'verified',
  'aborted',
  'rolling-back',
] as const satisfies readonly CampaignState[]

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

/** Campaigns below the nodes that run or wait for a decision. */
export const campaignsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'campaigns', nodes],
    queryFn: ({ signal }) =>
      call(
        getCampaigns,
        { nodes: [...nodes], states: [...activeStates], limiter: { page: 1, size: SHOWN_CAMPAIGNS } },
        { signal, quiet: true },
      ),
    refetchInterval: SLOW_REFETCH_MS,
  })

/** The newest open findings below the first node; without nodes everywhere. */
export const openFindingsQuery = ([node]: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'findings', node],
    queryFn: ({ signal }) =>
      call(
        getFindings,
        { ...(node === undefined ? {} : { node }), isOpen: true, limiter: { page: 1, size: SHOWN_FINDINGS } },
        { signal, quiet: true },
      ),
    refetchInterval: SLOW_REFETCH_MS,
  })

/** Weather of the companies of the nodes. */
export const weatherQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'weather', nodes],
    queryFn: ({ signal }) =>
      call(getWeather, { nodes: nodes.length > 0 ? [...nodes] : [ROOT_KEY] }, { signal, quiet: true }),
    refetchInterval: SLOW_REFETCH_MS,
  })

/** The coldest of the rooms that are too cold. */
export const coldRoomsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'rooms', nodes],
    queryFn: ({ signal }) =>
      call(
        getRooms,
        { nodes: [...nodes], state: 'cold', limiter: { page: 1, size: SHOWN_ROOMS } },
        { signal, quiet: true },
      ),
    refetchInterval: SLOW_REFETCH_MS,
  })

/** Complaints that nobody has measured yet. */
export const openVisitsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'visits', nodes],
    queryFn: ({ signal }) =>
      call(
        getRoomVisits,
        { nodes: [...nodes], isOpen: true, limiter: { page: 1, size: SHOWN_VISITS } },
        { signal, quiet: true },
      ),
    refetchInterval: SLOW_REFETCH_MS,
  })

/** Sources of water with their runs. */
export const irrigationQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...homeKey, 'irrigation', nodes],
    queryFn: ({ signal }) => call(getIrrigation, { nodes: [...nodes] }, { signal, quiet: true }),
    refetchInterval: SLOW_REFETCH_MS,
  })
