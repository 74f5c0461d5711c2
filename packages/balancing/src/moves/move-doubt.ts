import type { LoopFlows } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'

/** How far moves may be from planned, as factors on the travel of valves that open and of those that close. */
export interface MoveDoubt {
  readonly opens: number
  readonly closes: number
  /** Factor on the travel of a watched consumer's own valve that opens. */
  readonly own: number
}

/** Openings 0..1 by consumer: before some moves, and as planned after them. */
export interface PlannedMoves {
  readonly from: Float64Array
  readonly to: Float64Array
}

/** The watched consumers, others whose opening is wanted for the sake of their rooms, and flows at other openings. */
interface WorstCase {
  readonly of: ReadonlySet<number>
  readonly favoured?: { has(consumer: number): boolean } | undefined
  /** Whether a flow, kg/s, of a consumer is enough. Where a lower bound is not, the flow itself is computed. */
  readonly isEnough: (flowKgS: number, consumer: number) => boolean
  readonly solve: (openings: Float64Array) => LoopFlows
}

/**
 * Whether some consumers have enough flow if the valves of all others open further and close less than planned, those in
 * `favoured` move as planned, and their own open less. First the head at a consumer is taken as if its own valve opened as
 * planned, which is less than it then has. Worked example: move-doubt.test.ts.
 */
export function isEnoughAtWorst(
  model: LoopModel,
  { from, to }: PlannedMoves,
  { opens, closes, own: ownPart }: MoveDoubt,
  { of, favoured, isEnough, solve }: WorstCase,
): boolean {
  const worst = to.map((planned, i) => {
    const now = from[i] ?? planned
    if (of.has(i) || favoured?.has(i)) return planned
    return Math.min(1, now + (planned > now ? opens : closes) * (planned - now))
  })
  const { flowKgS } = solve(worst)
  return [...of].every((i) => {
    const [now, planned, flow] = [from[i] ?? 0, to[i] ?? 0, flowKgS[i] ?? 0]
    if (planned <= now) return isEnough(flow, i)
    const own = now + ownPart * (planned - now)
    const bound = flow * Math.sqrt(consumerS(model, i, planned) / consumerS(model, i, own))
    return isEnough(bound, i) || isEnough(solve(worst.with(i, own)).flowKgS[i] ?? 0, i)
  })
}
