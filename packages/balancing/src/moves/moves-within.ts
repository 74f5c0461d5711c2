import type { InvertRequest } from '../invert/invert.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import { type MoveLimits, type MovePlan, planMoves } from './fewest-moves.ts'

/** Allowed openings of each valve, 0..1, by consumer. */
export interface OpeningRange {
  readonly min: Float64Array
  readonly max: Float64Array
}

/**
 * The opening within a valve's range that is nearest to the target, in steps of the motor; the present opening if
 * that would be a move in the wrong direction.
 */
function limitToRange(from: number, to: number, min: number, max: number, step: number): number {
  const low = Math.ceil(min / step - 1e-9) * step
  const high = Math.floor(max / step + 1e-9) * step
  const fixed = Math.min(high, Math.max(low, to))
  return (fixed - from) * (to - from) > 0 ? fixed : from
}

/**
 * `planMoves` with a range for each valve. A valve that would leave its range moves to the end of the range, or stays if it
 * is already beyond that end. The other valves are solved again; each iteration fixes at least one valve. Worked
 * example: moves-within.test.ts.
 */
export function planMovesWithin(
  model: LoopModel,
  request: InvertRequest,
  limits: MoveLimits,
  { min, max }: OpeningRange,
): MovePlan {
  const openings = request.openings.slice()
  const isFixed = request.isFixed.slice()
  for (;;) {
    const plan = planMoves(model, { ...request, openings, isFixed }, limits)
    const outside = plan.moves.filter(
      ({ consumer, to }) => to < (min[consumer] ?? 0) - 1e-9 || to > (max[consumer] ?? 1) + 1e-9,
    )
    if (outside.length === 0) return addFixedMoves(plan, request, openings, limits.step)
    for (const { consumer, from, to } of outside) {
      openings[consumer] = limitToRange(from, to, min[consumer] ?? 0, max[consumer] ?? 1, limits.step)
      isFixed[consumer] = 1
    }
  }
}

/** Adds the moves of valves that were fixed at an end of their range. */
function addFixedMoves(
  plan: MovePlan,
  request: InvertRequest,
  openings: Float64Array,
  step: number,
): MovePlan {
  const fixed = Array.from(openings, (to, consumer) => ({
    consumer,
    from: request.openings[consumer] ?? 0,
    to,
  })).filter(({ from, to }) => Math.abs(to - from) > step / 2)
  const isFixedMove = new Set(fixed.map(({ consumer }) => consumer))
  const free = plan.moves.filter(({ consumer }) => !isFixedMove.has(consumer))
  return { ...plan, moves: [...free, ...fixed].sort((one, other) => one.consumer - other.consumer) }
}
