import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** Delivered share below which the warning appears. */
const SUFFICIENT_SHARE = 0.97

/**
 * Share of the required flow that the pump delivers at its present head, 0 to 1. Undefined if it suffices or no targets
 * are known.
 */
export function findShortfall({ members }: Pick<CampaignDetail, 'members'>): number | undefined {
  let [given, needed] = [0, 0]
  for (const { excluded, expected, targetFlowM3H } of members) {
    if (excluded !== undefined || expected?.flowM3H === undefined || targetFlowM3H === undefined) continue
    given += expected.flowM3H
    needed += targetFlowM3H
  }
  return needed > 0 && given < SUFFICIENT_SHARE * needed ? given / needed : undefined
}
