import type { ValveMove } from './fewest-moves.ts'

/** Flows of a step, kg/s by consumer: measured before it and after it has settled, and predicted for both. */
export interface SettledFlows {
  /** NaN without a measured flow. */
  readonly beforeKgS: Float64Array
  readonly afterKgS: Float64Array
  readonly modelBeforeKgS: Float64Array
  readonly modelAfterKgS: Float64Array
  /** Predicted flow of a consumer after the step if its own valve had stayed at the opening before. */
  readonly modelStayedKgS: (move: ValveMove) => number
}

/** A settled step. */
export interface OverClosedOrder extends SettledFlows {
  readonly moves: readonly ValveMove[]
  /** Flow that the rooms of each consumer need at least, as a share of the flow before. */
  readonly minShare: ArrayLike<number>
  /** Relative error of a flow compared with the same one before. */
  readonly sigma: number
}

/** Deviations by which a flow must be below its prediction, and by which a closing must change it to be the cause. */
const SURE = 2

/**
 * Valves that closed further than planned and left their consumers less flow than their rooms need, with the openings at
 * which they have the planned flow. The flow after the step is measured. The flow with the valve where it was before is
 * that of the model, because the head and the other valves have changed too. ln of the flow is a concave function of the
 * opening: the straight line between both leads to at least the planned flow, whatever the curve. A closing too small to
 * be seen in the flow is not the cause of a loss. If rooms need more than the valve could give where it was before, it
 * only gives back what it closed too far. Worked example: find-over-closed.test.ts.
 */
export function findOverClosed({
  moves,
  minShare,
  sigma,
  beforeKgS,
  afterKgS,
  modelBeforeKgS,
  modelAfterKgS,
  modelStayedKgS,
}: OverClosedOrder): readonly ValveMove[] {
  return moves.flatMap((move): ValveMove[] => {
    const { consumer: i, from, to } = move
    if (to >= from) return []
    const share = (afterKgS[i] ?? Number.NaN) / (beforeKgS[i] ?? Number.NaN)
    const modelBefore = modelBeforeKgS[i] ?? Number.NaN
    const planned = (modelAfterKgS[i] ?? Number.NaN) / modelBefore
    const needed = minShare[i] ?? 0
    const isShort = share < needed && share < (1 - SURE * sigma) * planned
    if (!isShort) return []
    const stayed = modelStayedKgS(move) / modelBefore
    if (!(Math.log(stayed / planned) > SURE * sigma)) return []
    const wanted = Math.min(1, stayed < needed ? planned : Math.max(planned, needed))
    const part = share > 0 ? Math.log(wanted / share) / Math.log(stayed / share) : 1
    return [{ consumer: i, from: to, to: to + Math.min(1, part) * (from - to) }]
  })
}
