import type { BatchProgress, CommandState } from '@isotherm/contract/command'

/** What an operator asks of a batch: what is still coming, what came true, what did not, what was taken back. */
export const batchGroups = ['open', 'confirmed', 'failed', 'dropped'] as const
export type BatchGroup = (typeof batchGroups)[number]

/** The states of each group, those furthest on first: each state is in exactly one. */
export const statesOfGroup: Readonly<Record<BatchGroup, readonly CommandState[]>> = {
  open: ['done', 'accepted', 'delivered', 'sent', 'queued'],
  confirmed: ['confirmed'],
  failed: ['failed', 'unknown', 'expired'],
  dropped: ['superseded', 'cancelled'],
}

/** In the order in which the bar shows them: what is settled first, then what is furthest. */
const barStates: readonly CommandState[] = [
  ...statesOfGroup.confirmed,
  ...statesOfGroup.failed,
  ...statesOfGroup.dropped,
  ...statesOfGroup.open,
]

type Counts = Pick<BatchProgress, 'counts'>

export const countGroup = ({ counts }: Counts, group: BatchGroup): number =>
  statesOfGroup[group].reduce((sum, state) => sum + (counts[state] ?? 0), 0)

/** A part of the bar: how many commands are in a state. */
export interface Segment {
  readonly state: CommandState
  readonly count: number
}

/** The states that any command is in, settled ones first. */
export const toSegments = ({ counts }: Counts): readonly Segment[] =>
  barStates.flatMap((state) => {
    const count = counts[state] ?? 0
    return count > 0 ? [{ state, count }] : []
  })

/** Whole per cent that are at their end; a hundred only when every one is. */
export function toSettledPct(batch: Pick<BatchProgress, 'counts' | 'total'>): number {
  if (batch.total === 0) return 100
  return Math.floor((100 * (batch.total - countGroup(batch, 'open'))) / batch.total)
}
