import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { maxBucketDays } from '@isotherm/contract/endpoints/monitoring/history'
import { DAY_MS } from '@isotherm/kernel/durations'

export type TrendRequest = Pick<
  CampaignDetail,
  'id' | 'node' | 'createdAt' | 'approvedAt' | 'endedAt' | 'settleMs'
>

/** Minimum time shown before and after a campaign, ms: several reports of every valve. */
const MIN_MARGIN_MS = 600_000

/** Longest span of one call, ms. */
const MAX_MS = maxBucketDays.hour * DAY_MS

/**
 * Time span of the chart: the settling time before the start and after the end of the campaign. A long open campaign
 * shows only its first part.
 */
export function toTrendSpan(
  request: TrendRequest,
  now: number,
): { readonly from: number; readonly to: number } {
  const { createdAt, approvedAt, endedAt, settleMs = 0 } = request
  const marginMs = Math.max(MIN_MARGIN_MS, settleMs)
  const from = (approvedAt ?? createdAt) - marginMs
  const to = endedAt === undefined ? now : Math.min(now, endedAt + marginMs)
  return { from, to: Math.max(Math.min(to, from + MAX_MS), from + 1) }
}
