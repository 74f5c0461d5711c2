import type { BalanceKind } from '@isotherm/contract/balancing/balance-kind'
import type { RequestedMode } from '@isotherm/contract/balancing/campaign'
import type { Device } from '@isotherm/contract/devices'
import {
  addCampaign,
  getBalance,
  getBalanceTrend,
  getCampaign,
  getCampaigns,
} from '@isotherm/contract/endpoints/control/balancing'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { isHeatStation } from '@isotherm/contract/metrics'
import type { NodeKey } from '@isotherm/contract/tree'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { listAll } from '../../shared/api/list-all.ts'
import { readServerNow } from '../../shared/live/server-now.ts'
import { balancingKeys } from './balancing-keys.ts'
import { nullIfMissing } from './fields/null-if-missing.ts'
import { type TrendRange, toTrendSpan } from './trend/trend-range.ts'

/** Refetch interval of a balance, ms. Valves report every few minutes; a campaign moves some every second. */
const BALANCE_EVERY_MS = 10_000
const TREND_EVERY_MS = MINUTE_MS
/** The registry changes rarely. */
const STATIONS_FRESH_MS = 5 * MINUTE_MS

/** Balance of the loop at a node; null if the node does not belong to one station. */
export const balanceQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...balancingKeys.balances, node],
    queryFn: ({ signal }) =>
      nullIfMissing(call(getBalance, { node }, { signal, quiet: true }), 'balance.no-station'),
    staleTime: BALANCE_EVERY_MS,
    // This changes only with the registry, so do not poll.
    refetchInterval: ({ state }) => (state.data === null ? false : BALANCE_EVERY_MS),
  })

/** Trend of the return temperatures over a range that ends now. */
export const trendQuery = (node: NodeKey, range: TrendRange) =>
  queryOptions({
    queryKey: [...balancingKeys.trends, node, range],
    queryFn: async ({ signal }) => {
      const span = toTrendSpan(range, readServerNow())
      const { points } = await call(getBalanceTrend, { node, ...span }, { signal, quiet: true })
      return { points, span }
    },
    refetchInterval: TREND_EVERY_MS,
  })

/** The newest campaigns of one kind at, above or below nodes; no nodes means all accessible ones. */
export const campaignsQuery = (nodes: readonly NodeKey[], kind: BalanceKind, size: number) =>
  queryOptions({
    queryKey: [...balancingKeys.lists, nodes, kind, size],
    queryFn: ({ signal }) =>
      call(
        getCampaigns,
        { ...(nodes.length > 0 && { nodes: [...nodes] }), kinds: [kind], limiter: { page: 1, size } },
        { signal, quiet: true },
      ),
    refetchInterval: TREND_EVERY_MS,
  })

/** A campaign with plan and valves; null if not found or not accessible. */
export const campaignQuery = (id: number) =>
  queryOptions({
    queryKey: balancingKeys.campaign(id),
    queryFn: ({ signal }) =>
      nullIfMissing(call(getCampaign, { id }, { signal, quiet: true }), 'campaign.not-found'),
  })

/** The heat stations below nodes, in tree order; not the pump houses for irrigation. */
export const stationsQuery = (nodes: readonly NodeKey[]) =>
  queryOptions({
    queryKey: [...balancingKeys.all, 'stations', nodes],
    queryFn: ({ signal }) =>
      listAll(
        (limiter) =>
          call(
            getThreeSelectNewRealDev,
            { nodes: [...nodes], kinds: ['station'], limiter },
            { signal, quiet: true },
          ),
        ({ device: { id } }) => id,
      ),
    select: (stations): readonly Device[] =>
      stations.flatMap(({ device, state }) => (isHeatStation(state?.metrics) ? [device] : [])),
    staleTime: STATIONS_FRESH_MS,
  })

/** Calculates a plan. Moves no valve. */
export const planBalance = (node: NodeKey, mode: RequestedMode) => call(addCampaign, { node, mode })
