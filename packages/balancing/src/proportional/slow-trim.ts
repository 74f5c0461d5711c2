import { weightedMean } from '@isotherm/kernel/statistics'
import { type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import type { OpeningRange } from '../moves/moves-within.ts'
import type { RoomObjection } from '../rooms/room-gate.ts'
import { stepTrim } from './proportional.ts'
import { type SeenValves, scheduleGains } from './valve-gains.ts'

/** What the trim goes on from; arrays by consumer. */
export interface TrimMemory {
  /** Opening at which the last accepted balance left each valve, 0..1. */
  readonly base: Float64Array
  /** Sum of what each return was off by since, K·d. */
  readonly integralKd: Float64Array
  /** For how many days the present error counts. */
  readonly days: number
}

/** One step of the slow trim; arrays by consumer. */
export interface SlowTrimOrder extends SeenValves {
  readonly areaM2: Float64Array
  readonly offsetK: Float64Array | undefined
  /** 1 for a valve that stays, and whose return does not count. */
  readonly isFixed: Uint8Array
  /** Whose rooms speak against less flow. */
  readonly objections: ReadonlyMap<number, RoomObjection>
  readonly range: OpeningRange
  readonly pump: PumpFreedom
  readonly trim: TrimMemory
}

export interface SlowTrimPlan {
  readonly plan: MovePlan
  /** The mean of the returns that count, °C. */
  readonly targetC: number
  /** Who would have closed, and stays for the sake of its rooms. */
  readonly kept: ReadonlyMap<number, RoomObjection>
  /** As the next step goes on from it, K·d; of who stays for another reason than its dead band it does not grow. */
  readonly integralKd: Float64Array
}

/** Parts of an error that are taken away at once, and each day that it lasts. */
const SHARE = 0.1
const SHARE_DAY = 0.2
/** Returns nearer to their mean than this are left alone, K. */
const DEAD_BAND_K = 0.5
/** How far a valve is led from where the last balance left it. */
export const TRIM_SPAN = 0.1
const LEAST_OPENING = 0.1
const STEP = 0.01

/**
 * The layer underneath balances by the model: valves whose return has drifted from the mean are led back slowly, each by a
 * PI controller around where the last balance left it, with a gain by its authority. Moves whoever is to move by a step of
 * its motor or more, and only against its error. Worked example: slow-trim.test.ts.
 */
export function planSlowTrim(model: LoopModel, order: SlowTrimOrder): SlowTrimPlan {
  const { seen, openings, isFixed, objections, range, pump, offsetK, areaM2, trim } = order
  const source = sourceAt(pump, seen.headPa)
  const now = solveLoop(model, openings, source)
  const compared = seen.returnC.map((value, i) =>
    isFixed[i] === 1 ? Number.NaN : value - (offsetK?.[i] ?? 0),
  )
  const targetC = weightedMean(compared, areaM2) ?? Number.NaN
  const gain = scheduleGains(model, now, order, 1)
  const kept = new Map<number, RoomObjection>()
  const integralKd = trim.integralKd.slice()
  const next = openings.map((from, i) => {
    const errorK = (compared[i] ?? Number.NaN) - targetC
    if (!(Math.abs(errorK) > DEAD_BAND_K)) return from
    const own = gain[i] ?? 0
    const least = Math.max(LEAST_OPENING, range.least[i] ?? 0)
    const most = range.most[i] ?? 1
    const { opening, state } = stepTrim({ integral: integralKd[i] ?? 0 }, errorK, trim.base[i] ?? from, {
      gain: SHARE * own,
      integralGain: SHARE_DAY * own,
      deadBandK: DEAD_BAND_K,
      leastOpening: least,
      mostOpening: most,
      span: TRIM_SPAN,
      days: trim.days,
    })
    const objection = errorK > 0 ? objections.get(i) : undefined
    if (objection) {
      kept.set(i, objection)
      return from
    }
    integralKd[i] = state.integral
    const to = Math.min(most, Math.max(least, Math.round(opening / STEP) * STEP))
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
    kept,
    integralKd,
  }
}
