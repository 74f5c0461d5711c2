import type { ValveMove } from './fewest-moves.ts'

/** Flows of a step, kg/s by consumer: measured before it and after it has settled, and predicted for both. */
export interface SettledFlows {
  readonly beforeKgS: Float64Array
  readonly afterKgS: Float64Array
  readonly modelBeforeKgS: Float64Array
  readonly modelAfterKgS: Float64Array
}

/** A settled step. */
export interface OverClosedOrder extends SettledFlows {
  readonly moves: readonly ValveMove[]
  /** Flow that the rooms of each consumer need at least, as a share of the flow before. */
  readonly minShare: ArrayLike<number>
  /** Relative error of a flow compared with the same one before. */
  readonly sigma: number
}

/** Deviations by which a flow must be below its prediction. */
const SURE = 2

/**
 * Valves that closed further than planned and left their consumers less flow than their rooms need, with the openings at
 * which they have the planned flow. The flows of a valve before and after its move are known by then, and ln of the flow is
 * a concave function of the opening: the straight line between both leads to at least the planned flow, whatever the curve.
 * Worked example: find-over-closed.test.ts.
 */
export function findOverClosed({
  moves,
  minShare,
  sigma,
  beforeKgS,
  afterKgS,
  modelBeforeKgS,
  modelAfterKgS,
}: OverClosedOrder): readonly ValveMove[] {
  return moves.flatMap(({ consumer: i, from, to }): ValveMove[] => {
    if (to >= from) return []
    const share = (afterKgS[i] ?? Number.NaN) / (beforeKgS[i] ?? Number.NaN)
    const planned = (modelAfterKgS[i] ?? Number.NaN) / (modelBeforeKgS[i] ?? Number.NaN)
    const isShort = share < (minShare[i] ?? 0) && share < (1 - SURE * sigma) * planned
    if (!isShort) return []
    const wanted = Math.min(1, Math.max(planned, minShare[i] ?? 0))
    const part = share > 0 ? Math.log(wanted / share) / -Math.log(share) : 1
    return [{ consumer: i, from: to, to: to + Math.min(1, part) * (from - to) }]
  })
}
