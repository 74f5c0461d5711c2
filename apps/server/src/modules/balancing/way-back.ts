import type { PlannedStep } from './planner.ts'

type Moves = PlannedStep['moves']

/**
 * The way back from waves that were given, in the order in which they were: each is taken back as it was given, the last
 * one first. So what was closed opens before what was opened closes, the loop stands only where it has stood before, and
 * no valve is turned farther at once than it was on the way there.
 */
export const toWayBack = (given: readonly Moves[]): readonly Moves[] =>
  given
    .map((moves) =>
      moves.map(({ deviceId, fromPct, toPct }) => ({ deviceId, fromPct: toPct, toPct: fromPct })),
    )
    .reverse()
