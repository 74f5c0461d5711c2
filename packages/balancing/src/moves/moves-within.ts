import type { InvertRequest } from '../invert/invert.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import { type MoveLimits, type MovePlan, planMoves } from './fewest-moves.ts'

/** Openings 0..1 between which each valve may be told to go, by consumer. */
export interface OpeningRange {
  readonly least: Float64Array
  readonly most: Float64Array
}

/** The opening inside of a valve's range nearest to what is wanted, in steps of the motor; where it is if that leads away. */
function keepWithin(from: number, to: number, least: number, most: number, step: number): number {
  const low = Math.ceil(least / step - 1e-9) * step
  const high = Math.floor(most / step + 1e-9) * step
  const kept = Math.min(high, Math.max(low, to))
  return (kept - from) * (to - from) > 0 ? kept : from
}

/**
 * `planMoves` where motors have ranges of their own: who would leave its range goes to the end of it, or stays where it
 * stands beyond it already, and the others are solved around that; each round settles one valve or more. Worked example: moves-within.test.ts.
 */
export function planMovesWithin(
  model: LoopModel,
  request: InvertRequest,
  limits: MoveLimits,
  { least, most }: OpeningRange,
): MovePlan {
  const openings = request.openings.slice()
  const isFixed = request.isFixed.slice()
  for (;;) {
    const plan = planMoves(model, { ...request, openings, isFixed }, limits)
    const outside = plan.moves.filter(
      ({ consumer, to }) => to < (least[consumer] ?? 0) - 1e-9 || to > (most[consumer] ?? 1) + 1e-9,
    )
    if (outside.length === 0) return withKept(plan, request, openings, limits.step)
    for (const { consumer, from, to } of outside) {
      openings[consumer] = keepWithin(from, to, least[consumer] ?? 0, most[consumer] ?? 1, limits.step)
      isFixed[consumer] = 1
    }
  }
}

/** The plan with the moves of those that were taken out of it and put at an end of their range. */
function withKept(plan: MovePlan, request: InvertRequest, openings: Float64Array, step: number): MovePlan {
  const kept = Array.from(openings, (to, consumer) => ({
    consumer,
    from: request.openings[consumer] ?? 0,
    to,
  })).filter(({ from, to }) => Math.abs(to - from) > step / 2)
  const isKept = new Set(kept.map(({ consumer }) => consumer))
  const free = plan.moves.filter(({ consumer }) => !isKept.has(consumer))
  return { ...plan, moves: [...free, ...kept].sort((one, other) => one.consumer - other.consumer) }
}
