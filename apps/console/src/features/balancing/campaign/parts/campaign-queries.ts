import type { CampaignAbility } from '@isotherm/contract/balancing/campaign'
import {
  acceptCampaign,
  approveCampaign,
  discardCampaign,
  getBalanceTrend,
  pauseCampaign,
  replanCampaign,
  resumeCampaign,
  rollbackCampaign,
  trimCampaign,
} from '@isotherm/contract/endpoints/control/balancing'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../../shared/api/client.ts'
import { live } from '../../../../shared/live/live.ts'
import { balancingKeys } from '../../balancing-keys.ts'
import { type TrendRequest, toTrendSpan } from './trend-span.ts'

/** Refetch interval of the trend while a campaign runs, ms. */
const REFETCH_TREND_MS = 30_000

/** Trend of return temperatures from before a campaign until after it. */
export const campaignTrendQuery = (request: TrendRequest) =>
  queryOptions({
    queryKey: [...balancingKeys.trends, 'campaign', request.id, request.endedAt],
    queryFn: async ({ signal }) => {
      const span = toTrendSpan(request, Date.now() + live.status().clockOffsetMs)
      return {
        span,
        ...(await call(getBalanceTrend, { node: request.node, ...span }, { signal, quiet: true })),
      }
    },
    refetchInterval: request.endedAt === undefined && REFETCH_TREND_MS,
  })

const endpointOf = {
  replan: replanCampaign,
  approve: approveCampaign,
  discard: discardCampaign,
  pause: pauseCampaign,
  resume: resumeCampaign,
  trim: trimCampaign,
  accept: acceptCampaign,
  rollback: rollbackCampaign,
} as const satisfies Record<CampaignAbility, unknown>

/** Performs an action on a campaign in its shown version; returns the new state. */
export const moveCampaign = (
  shown: { readonly id: number; readonly version: number },
  move: CampaignAbility,
) => call(endpointOf[move], { id: shown.id, version: shown.version })
