import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** Less of the flow than this is worth a word. */
const NEARLY_ALL = 0.97

/**
 * Share of the flow that the targets need which a plan gives its valves, 0..1, where that is clearly not all: the pump
 * stays as it is, however much is asked for. Undefined where it is all, or where no targets are known.
 */
export function findShortfall({ members }: Pick<CampaignDetail, 'members'>): number | undefined {
  let [given, needed] = [0, 0]
  for (const { excluded, expected, targetFlowM3H } of members) {
    if (excluded !== undefined || expected?.flowM3H === undefined || targetFlowM3H === undefined) continue
    given += expected.flowM3H
    needed += targetFlowM3H
  }
  return needed > 0 && given < NEARLY_ALL * needed ? given / needed : undefined
}
