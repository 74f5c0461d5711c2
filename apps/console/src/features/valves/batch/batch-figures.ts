import type { BatchProgress, CommandState } from '@isotherm/contract/command'
import { type CommandGroup, statesOfGroup } from '../commands/command-groups.ts'

/** In the order in which the bar shows them: what is settled first, then what is furthest. */
const barStates: readonly CommandState[] = [
  ...statesOfGroup.confirmed,
  ...statesOfGroup.failed,
  ...statesOfGroup.dropped,
  ...statesOfGroup.open,
]

type Counts = Pick<BatchProgress, 'counts'>

export const countGroup = ({ counts }: Counts, group: CommandGroup): number =>
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
