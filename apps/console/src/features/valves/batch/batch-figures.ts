import type { BatchProgress, CommandState } from '@isotherm/contract/command'
import { type CommandGroup, statesOfGroup } from '../commands/command-groups.ts'

/** The order of the states in the bar: settled states first, then the most advanced. */
const barStates: readonly CommandState[] = [
  ...statesOfGroup.confirmed,
  ...statesOfGroup.failed,
  ...statesOfGroup.dropped,
  ...statesOfGroup.open,
]

type Counts = Pick<BatchProgress, 'counts'>

export const countGroup = ({ counts }: Counts, group: CommandGroup): number =>
  statesOfGroup[group].reduce((sum, state) => sum + (counts[state] ?? 0), 0)

/** A segment of the bar: a state and the number of commands in it. */
export interface Segment {
  readonly state: CommandState
  readonly count: number
}

/** The states with at least one command, in bar order. */
export const toSegments = ({ counts }: Counts): readonly Segment[] =>
  barStates.flatMap((state) => {
    const count = counts[state] ?? 0
    return count > 0 ? [{ state, count }] : []
  })

/** Share of settled commands, whole %, rounded down: 100 only when all are settled. */
export function toSettledPct(batch: Pick<BatchProgress, 'counts' | 'total'>): number {
  if (batch.total === 0) return 100
  return Math.floor((100 * (batch.total - countGroup(batch, 'open'))) / batch.total)
}
