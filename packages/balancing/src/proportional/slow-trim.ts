import { weightedMean } from '@isotherm/kernel/statistics'
import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { RoomObjection } from '../rooms/room-gate.ts'
import { stepTrim } from './proportional.ts'
import { scheduleGains, type ValveReadings } from './valve-gains.ts'

/** State of the trim; arrays by consumer. */
export interface TrimMemory {
  /** Opening of each valve after the last accepted balance, 0..1. */
  readonly base: Float64Array
  /** Accumulated error of each return since then, K·d. */
  readonly integralKd: Float64Array
  /** Number of days for which the present error counts. */
  readonly days: number
}

/** One step of the slow trim; arrays by consumer. */
export interface SlowTrimOrder extends ValveReadings {
  readonly areaM2: Float64Array
  readonly offsetK: Float64Array | undefined
  /** 1 for a valve that does not move. Its return temperature does not count. */
  readonly isFixed: Uint8Array
  /** Consumers with cold rooms: their flow must not decrease. */
  readonly objections: ReadonlyMap<number, RoomObjection>
  readonly range: OpeningRange
  readonly pump: PumpFreedom
  readonly trim: TrimMemory
}

export interface SlowTrimPlan {
  readonly plan: MovePlan
  /** Mean of the returns that count, with little weight of those that have drifted, °C. */
  readonly targetC: number
  /** Consumers that would close, and are not moved because of their rooms. */
  readonly objected: ReadonlyMap<number, RoomObjection>
  /**
   * Accumulated errors for the next step, K·d. The sum of a valve that is not moved, except within the dead band,
   * does not grow.
   */
  readonly integralKd: Float64Array
}

/** Share of an error that is removed at once, and on each day that it lasts. */
const SHARE = 0.1
const SHARE_DAY = 0.2
/** Dead band of returns around their mean, K. */
const DEAD_BAND_K = 0.5
const CENTRE_ROUNDS = 20
/** Maximum distance from the opening that the last balance left. */
export const TRIM_SPAN = 0.1
const MIN_OPENING = 0.1
const STEP = 0.01

/**
 * Mean of returns by area in which one beyond the dead band counts as one at its edge (Huber): a plain mean follows the
 * valves that have drifted, and then moves others that have not.
 */
function findCentre(returnC: Float64Array, areaM2: Float64Array): number {
  let centre = weightedMean(returnC, areaM2) ?? Number.NaN
  for (let round = 0; round < CENTRE_ROUNDS; round++) {
    const weight = areaM2.map((area, i) => {
      const off = Math.abs((returnC[i] ?? Number.NaN) - centre)
      return off > DEAD_BAND_K ? (area * DEAD_BAND_K) / off : area
    })
    centre = weightedMean(returnC, weight) ?? Number.NaN
  }
  return centre
}

/**
 * Slow correction between balances. If the return of a valve has drifted from the others, a PI controller moves the valve
 * around its opening after the last balance, with a gain by its authority. A valve moves only by a full motor step or
 * more, and only in the direction that reduces its error. Worked example: slow-trim.test.ts.
 */
export function planSlowTrim(model: LoopModel, order: SlowTrimOrder): SlowTrimPlan {
  const { readings, openings, isFixed, objections, range, pump, offsetK, areaM2, trim } = order
  const source = sourceAt(pump, readings.headPa)
  const now = solveLoop(model, openings, source)
  const compared = readings.returnC.map((value, i) =>
    isFixed[i] === 1 ? Number.NaN : value - (offsetK?.[i] ?? 0),
  )
  const targetC = findCentre(compared, areaM2)
  const gain = scheduleGains(model, now, order, 1)
  const objected = new Map<number, RoomObjection>()
  const integralKd = trim.integralKd.slice()
  const next = openings.map((from, i) => {
    const errorK = (compared[i] ?? Number.NaN) - targetC
    if (!(Math.abs(errorK) > DEAD_BAND_K)) return from
    const own = gain[i] ?? 0
    const min = Math.max(MIN_OPENING, range.min[i] ?? 0)
    const max = range.max[i] ?? 1
    const { opening, state } = stepTrim({ integral: integralKd[i] ?? 0 }, errorK, trim.base[i] ?? from, {
      gain: SHARE * own,
      integralGain: SHARE_DAY * own,
      deadBandK: DEAD_BAND_K,
      minOpening: min,
      maxOpening: max,
      span: TRIM_SPAN,
      days: trim.days,
    })
    const objection = errorK > 0 ? objections.get(i) : undefined
    if (objection) {
      objected.set(i, objection)
      return from
    }
    integralKd[i] = state.integral
    const to = Math.min(max, Math.max(min, Math.round(opening / STEP) * STEP))
    return (to - from) * errorK < 0 && Math.abs(to - from) > STEP / 2 ? to : from
  })
  const moves = Array.from(next, (to, consumer) => ({ consumer, from: openings[consumer] ?? 0, to }))
  const flows = solveLoop(model, next, source)
  return {
    plan: {
      moves: moves.filter(({ from, to }) => from !== to),
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
    integralKd,
  }
}
