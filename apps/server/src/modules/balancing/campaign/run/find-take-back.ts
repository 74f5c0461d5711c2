import type { CampaignAbort } from '@isotherm/contract/balancing/campaign'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'

type Moves = StoredStep['moves']
type Sent = Pick<StoredStep, 'kind' | 'moves' | 'state'>

const sentOf = (steps: readonly Sent[], kind: StoredStep['kind']): Moves =>
  steps.flatMap((step) => (step.kind === kind && step.state !== 'waiting' ? step.moves : []))

/** Openings, %, to which valves of a round were taken back, by device. */
export const listTakenBack = (steps: readonly Sent[]): ReadonlyMap<number, number> =>
  new Map(sentOf(steps, 'take-back').map(({ deviceId, toPct }) => [deviceId, toPct]))

/**
 * Moves that take back the valves of starved buildings that this round closed. A valve is taken back once: a building that
 * still starves then aborts the campaign. Empty for any other reason.
 */
export function findTakeBack(reason: CampaignAbort, steps: readonly Sent[]): Moves {
  if (reason.kind !== 'starved') return []
  const starved = new Set(reason.deviceIds)
  const taken = listTakenBack(steps)
  return sentOf(steps, 'close')
    .filter(({ deviceId }) => starved.has(deviceId) && !taken.has(deviceId))
    .map(({ deviceId, fromPct, toPct }) => ({ deviceId, fromPct: toPct, toPct: fromPct }))
}
