import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { LoopReadings } from '../records/loop-records.ts'
import type { RoomObjection } from '../rooms/room-gate.ts'
import { stepProportional } from './proportional.ts'
import { scheduleGains } from './valve-gains.ts'

/** One round of the proportional loop; arrays by consumer. */
export interface ProportionalOrder {
  readonly readings: LoopReadings
  /** Estimated stem openings, 0..1. */
  readonly openings: Float64Array
  readonly areaM2: Float64Array
  /** Exponent n of the emitters. */
  readonly exponent: Float64Array
  readonly offsetK: Float64Array | undefined
  /** 1 for a valve that does not move. Its return temperature does not count. */
  readonly isFixed: Uint8Array
  /** Consumers with cold rooms: their flow must not decrease. */
  readonly objections: ReadonlyMap<number, RoomObjection>
  readonly range: OpeningRange
  readonly deadBandK: number
  readonly pump: PumpFreedom
}

export interface ProportionalPlan {
  readonly plan: MovePlan
  /** Mean of the returns that count, °C: the target of every valve. */
  readonly targetC: number
  /** Consumers that would close, and are not moved because of their rooms. */
  readonly objected: ReadonlyMap<number, RoomObjection>
}

/**
 * Share of an error that one round removes: even if the authority in the model is wrong by half, the loop does not
 * oscillate.
 */
const SHARE = 0.6
/** Maximum travel of a valve in one round, and the step of the motors. */
const MAX_STEP = 0.1
const STEP = 0.01
const MIN_OPENING = 0.1

/**
 * One round of the industry's proportional loop as a plan: each valve moves by the difference between its own return
 * and the mean, with a gain by its authority. The loop is not inverted. The model gives the authority of each valve
 * and the prediction of the round, so that the round can be watched like any other. Worked example:
 * proportional-plan.test.ts.
 */
export function planProportional(model: LoopModel, order: ProportionalOrder): ProportionalPlan {
  const { readings, openings, isFixed, objections, range, pump } = order
  const source = sourceAt(pump, readings.headPa)
  const now = solveLoop(model, openings, source)
  const { targetC, openings: wanted } = stepProportional({
    returnC: readings.returnC.map((value, i) => (isFixed[i] === 1 ? Number.NaN : value)),
    offsetK: order.offsetK ?? new Float64Array(openings.length),
    areaM2: order.areaM2,
    openings,
    gain: scheduleGains(model, now, order, SHARE),
    deadBandK: order.deadBandK,
    maxStep: MAX_STEP,
    minOpening: MIN_OPENING,
    step: STEP,
  })
  const objected = new Map([...objections].filter(([i]) => (wanted[i] ?? 0) < (openings[i] ?? 0)))
  const next = wanted.map((to, i) => {
    const from = openings[i] ?? 0
    if (objected.has(i)) return from
    const within = Math.min(range.max[i] ?? 1, Math.max(range.min[i] ?? 0, to))
    // A valve outside its range does not move further away from it.
    return (within - from) * (to - from) > 0 ? within : from
  })
  const moves = Array.from(next, (to, consumer) => ({ consumer, from: openings[consumer] ?? 0, to }))
  const flows = solveLoop(model, next, source)
  return {
    plan: {
      moves: moves.filter(({ from, to }) => Math.abs(to - from) > STEP / 2),
      openings: next,
      headPa: flows.headPa,
      flows,
      scale: 1,
      heldBack: [],
      starved: [],
      spared: [],
      overfed: [],
    },
    targetC,
    objected,
  }
}
