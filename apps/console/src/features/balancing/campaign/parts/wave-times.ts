import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** Sending time of each wave from the history, Unix ms; undefined for a wave that was not sent. */
export function toWaveTimes({
  steps,
  history,
}: Pick<CampaignDetail, 'steps' | 'history'>): readonly (number | undefined)[] {
  const given = history.filter(({ event }) => event === 'wave-given').map(({ at }) => at)
  let next = 0
  return steps.map(({ batchId }) => (batchId === undefined ? undefined : given[next++]))
}

/** History without the events of waves. */
export const withoutWaves = (history: CampaignDetail['history']): CampaignDetail['history'] =>
  history.filter(({ event }) => event !== 'wave-given' && event !== 'wave-ended')
