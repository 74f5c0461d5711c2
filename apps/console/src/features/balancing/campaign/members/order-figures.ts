import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'

/** What carrying out the waves that have not been given yet means. */
export interface OrderFigures {
  readonly waves: number
  readonly moves: number
  readonly open: number
  readonly close: number
  /** Of the pump, where it is ordered one. */
  readonly head: PumpMove | undefined
}

/** Valves, and the head of the pump, to be ordered by the waves of the present round that wait. */
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

/** Valves that were ordered to move so far; undefined after a trim, which may have moved others or the same. */
export function countOrdered({ steps, round }: Pick<CampaignDetail, 'steps' | 'round'>): number | undefined {
  if (round > 1) return undefined
  return steps.reduce((sum, { state, valves }) => sum + (state === 'waiting' ? 0 : valves), 0)
}

/** Whether the pump was told a head that a way back takes back. */
export const isHeadOrdered = ({ steps }: Pick<CampaignDetail, 'steps'>): boolean =>
  steps.some(({ kind, pump, state }) => kind !== 'back' && pump !== undefined && state !== 'waiting')

/** Least change of an opening that is an order, %. */
const LEAST_MOVE_PCT = 0.05

export const isMoved = ({
  before,
  expected,
}: {
  readonly before: { readonly openingPct: number }
  readonly expected: { readonly openingPct: number }
}): boolean => Math.abs(expected.openingPct - before.openingPct) >= LEAST_MOVE_PCT
