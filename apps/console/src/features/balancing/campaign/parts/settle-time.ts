import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'

/** Remaining time of a settling campaign. */
export interface SettleTime {
  readonly leftMs: number
  /** Elapsed share of the settling time, 0 to 1. */
  readonly share: number
}

/** Undefined if the campaign is not settling. */
export function findSettleTime(
  campaign: Pick<CampaignDetail, 'state' | 'settledAt' | 'settleMs'>,
  now: number,
): SettleTime | undefined {
  const { state, settledAt, settleMs } = campaign
  if (state !== 'settling' || settledAt === undefined || settleMs === undefined) return undefined
  const leftMs = Math.max(0, settledAt - now)
  return { leftMs, share: Math.min(1, Math.max(0, 1 - leftMs / settleMs)) }
}

/** A duration in the largest unit in which it is at least two, rounded up. */
export interface Duration {
  readonly unit: 's' | 'min' | 'h'
  readonly value: number
}

export function toDuration(ms: number): Duration {
  if (ms < 2 * MINUTE_MS) return { unit: 's', value: Math.ceil(ms / 1_000) }
  if (ms < 2 * HOUR_MS) return { unit: 'min', value: Math.ceil(ms / MINUTE_MS) }
  return { unit: 'h', value: Math.ceil((10 * ms) / HOUR_MS) / 10 }
}
