import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** When each wave was given, Unix ms; undefined for one that never was. Each is given once, and the history says when. */
export function toWaveTimes({
  steps,
  history,
}: Pick<CampaignDetail, 'steps' | 'history'>): readonly (number | undefined)[] {
  const given = history.filter(({ event }) => event === 'wave-given').map(({ at }) => at)
  let next = 0
  return steps.map(({ batchId }) => (batchId === undefined ? undefined : given[next++]))
}

/** What happened beside the waves. */
export const withoutWaves = (history: CampaignDetail['history']): CampaignDetail['history'] =>
  history.filter(({ event }) => event !== 'wave-given' && event !== 'wave-ended')
