import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { maxBucketDays } from '@isotherm/contract/endpoints/monitoring/history'
import { DAY_MS } from '@isotherm/kernel/durations'

export type TrendAsked = Pick<
  CampaignDetail,
  'id' | 'node' | 'createdAt' | 'approvedAt' | 'endedAt' | 'settleMs'
>

/** Shown before and after a campaign at least, ms: some reports of every valve. */
const LEAST_MARGIN_MS = 600_000

/** The server tells of no longer time at once, ms. */
const MOST_MS = maxBucketDays.hour * DAY_MS

/** The time around a campaign that its chart shows: as long as it settles before it began and after it ended; of one that is open for long, its beginning. */
export function toTrendSpan(asked: TrendAsked, now: number): { readonly from: number; readonly to: number } {
  const { createdAt, approvedAt, endedAt, settleMs = 0 } = asked
  const marginMs = Math.max(LEAST_MARGIN_MS, settleMs)
  const from = (approvedAt ?? createdAt) - marginMs
  const to = endedAt === undefined ? now : Math.min(now, endedAt + marginMs)
  return { from, to: Math.max(Math.min(to, from + MOST_MS), from + 1) }
}
