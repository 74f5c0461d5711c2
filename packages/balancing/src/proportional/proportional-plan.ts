import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { SeenLoop } from '../records/loop-records.ts'
import type { RoomObjection } from '../rooms/room-gate.ts'
import { stepProportional } from './proportional.ts'
import { scheduleGains } from './valve-gains.ts'

/** One round of the proportional loop; arrays by consumer. */
export interface ProportionalOrder {
  readonly seen: SeenLoop
  /** Of the stems as they are believed, 0..1. */
  readonly openings: Float64Array
  readonly areaM2: Float64Array
  /** n of the emitters. */
  readonly exponent: Float64Array
  readonly offsetK: Float64Array | undefined
  /** 1 for a valve that stays, and whose return does not count. */
  readonly isFixed: Uint8Array
  /** Whose rooms speak against less flow. */
  readonly objections: ReadonlyMap<number, RoomObjection>
  readonly range: OpeningRange
  readonly deadBandK: number
  readonly pump: PumpFreedom
}

export interface ProportionalPlan {
  readonly plan: MovePlan
  /** The mean of the returns that count, °C: what everybody is brought nearer to. */
  readonly targetC: number
  /** Who would have closed, and stays for the sake of its rooms. */
  readonly kept: ReadonlyMap<number, RoomObjection>
}

/** Part of an error that one round takes away: a model whose authorities are wrong by half does not make it swing. */
const SHARE = 0.6
/** Farthest way of a valve in one round, and what motors can be set to. */
const MOST_STEP = 0.1
const STEP = 0.01
const LEAST_OPENING = 0.1

/**
 * One round of the industry's loop as a plan: each valve by its own return beside the mean of all, with a gain by its
 * authority. The loop is not inverted; its model says how strong a valve is, and what is to be expected of the round, so
 * that it is watched as any other. Worked example: proportional-plan.test.ts.
 */
export function planProportional(model: LoopModel, order: ProportionalOrder): ProportionalPlan {
  const { seen, openings, isFixed, objections, range, pump } = order
  const source = sourceAt(pump, seen.headPa)
  const now = solveLoop(model, openings, source)
  const { targetC, openings: wanted } = stepProportional({
    returnC: seen.returnC.map((value, i) => (isFixed[i] === 1 ? Number.NaN : value)),
    offsetK: order.offsetK ?? new Float64Array(openings.length),
    areaM2: order.areaM2,
    openings,
    gain: scheduleGains(model, now, order, SHARE),
    deadBandK: order.deadBandK,
    mostStep: MOST_STEP,
    leastOpening: LEAST_OPENING,
    step: STEP,
  })
  const kept = new Map([...objections].filter(([i]) => (wanted[i] ?? 0) < (openings[i] ?? 0)))
  const next = wanted.map((to, i) => {
    const from = openings[i] ?? 0
    if (to === from || kept.has(i)) return from
    const within = Math.min(range.most[i] ?? 1, Math.max(range.least[i] ?? 0, to))
    // Whoever stands outside of its range is not led farther away.
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
    kept,
  }
}
