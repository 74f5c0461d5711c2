import type { LoopFlows } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'

/** How far moves may be from planned, as factors on the travel of valves that open and of those that close. */
export interface MoveDoubt {
  readonly opens: number
  readonly closes: number
}

/** Moves that are exactly as planned. */
export const NO_DOUBT: MoveDoubt = { opens: 1, closes: 1 }

/** Openings 0..1 by consumer: before some moves, and as planned after them. */
export interface PlannedMoves {
  readonly from: Float64Array
  readonly to: Float64Array
}

/** The watched consumers, others whose opening is wanted for the sake of their rooms, and flows at other openings. */
interface WorstCase {
  readonly of: ReadonlySet<number>
  readonly favoured?: { has(consumer: number): boolean } | undefined
  readonly solve: (openings: Float64Array) => LoopFlows
}

/**
 * Flow of some consumers, kg/s, if the valves of all others open further and close less than planned, those in
 * `favoured` move as planned, and their own open less. The head at a consumer is taken as if its own valve opened as
 * planned, which is less than it then has, so this is a lower bound. Worked example: move-doubt.test.ts.
 */
export function findWorstFlows(
  model: LoopModel,
  { from, to }: PlannedMoves,
  { opens, closes }: MoveDoubt,
  { of, favoured, solve }: WorstCase,
): ReadonlyMap<number, number> {
  const worst = to.map((planned, i) => {
    const now = from[i] ?? planned
    if (of.has(i) || favoured?.has(i)) return planned
    return Math.min(1, now + (planned > now ? opens : closes) * (planned - now))
  })
  const { flowKgS } = solve(worst)
  return new Map(
    Array.from(of, (i) => {
      const [now, planned] = [from[i] ?? 0, to[i] ?? 0]
      const own = planned > now ? now + (planned - now) / opens : planned
      const share = Math.sqrt(consumerS(model, i, planned) / consumerS(model, i, own))
      return [i, share * (flowKgS[i] ?? 0)] as const
    }),
  )
}
