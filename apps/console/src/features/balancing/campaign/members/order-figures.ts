import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** Effect of the waves that have not been sent yet. */
export interface OrderFigures {
  readonly waves: number
  readonly moves: number
  readonly open: number
  readonly close: number
  /** Head of the pump; absent if it stays unchanged. */
  readonly head: PumpMove | undefined
}

/** Counts the moves and the head change of the waiting waves of the present round. */
export function toOrderFigures({ steps, round }: Pick<CampaignDetail, 'steps' | 'round'>): OrderFigures {
  const waiting = steps.filter((step) => step.round === round && step.state === 'waiting')
  const count = (kind: 'open' | 'close') =>
    waiting.reduce((sum, step) => sum + (step.kind === kind ? step.valves : 0), 0)
  return {
    waves: waiting.length,
    moves: waiting.reduce((sum, { valves }) => sum + valves, 0),
    open: count('open'),
    close: count('close'),
    head: waiting.find(({ pump }) => pump)?.pump,
  }
}

/** Number of valves with a sent command; undefined after a trim, which may have moved the same or other valves. */
export function countOrdered({ steps, round }: Pick<CampaignDetail, 'steps' | 'round'>): number | undefined {
  if (round > 1) return undefined
  return steps.reduce(
    (sum, { state, valves }) => sum + (state === 'waiting' || state === 'dropped' ? 0 : valves),
    0,
  )
}

/** Whether a rollback also restores the head of the pump. */
export const isHeadOrdered = ({ steps }: Pick<CampaignDetail, 'steps'>): boolean =>
  steps.some(({ kind, pump, state }) => kind !== 'back' && pump !== undefined && state !== 'waiting')

/** Smallest change of an opening that counts as a move, %. */
const MIN_MOVE_PCT = 0.05

export const isMoved = ({
  before,
  expected,
}: {
  readonly before: { readonly openingPct: number }
  readonly expected: { readonly openingPct: number }
}): boolean => Math.abs(expected.openingPct - before.openingPct) >= MIN_MOVE_PCT
