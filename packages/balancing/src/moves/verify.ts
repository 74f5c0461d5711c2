import { median } from '@isotherm/kernel/statistics'
import { approachS } from '../loop/approach-resistance.ts'
import type { LoopFlows } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'

/** A commanded move, with the measured flow before it and after it settled, kg/s; NaN without a reading. */
export interface MoveOutcome {
  readonly consumer: number
  readonly from: number
  readonly to: number
  readonly flowBefore: number
  readonly flowAfter: number
}

/**
 * `accepted`: as predicted. `learn`: the error is large enough to correct the valve's curve. `stuck`: the flow did
 * not follow at all; `slipping`: it followed in part. `too-small`: the move was too small to judge. `not-measured`.
 */
export type Verdict = 'accepted' | 'learn' | 'stuck' | 'slipping' | 'too-small' | 'not-measured'

export interface MoveJudgement {
  readonly consumer: number
  readonly verdict: Verdict
  /** (ln measured − ln predicted)/σ, without the part that is common to the loop. */
  readonly innovation: number
  /** Predicted change of ln ṁ by this valve alone. */
  readonly change: number
  /** Share of the predicted change that happened: 0 stuck, 1 as predicted. */
  readonly followed: number
}

export interface VerifyLimits {
  /**
   * Error of a flow relative to the same flow before, as a share: meter noise and the effect of other moves.
   */
  readonly flowSigma: number
  /** Error of a predicted change of ln ṁ, as a share of the change: valve curve, circuit, mains. */
  readonly changeShare: number
}

export const USUAL_LIMITS: VerifyLimits = { flowSigma: 0.012, changeShare: 0.25 }
/** Limits when only a few valves move and the rest of the loop is steady: little more than meter noise. */
export const QUIET_LIMITS: VerifyLimits = { flowSigma: 0.006, changeShare: 0.25 }
/** Limits for flows from temperatures: the error of emitters cancels, that of rooms and of the weather does not. */
export const TEMPERATURE_LIMITS: VerifyLimits = { flowSigma: 0.05, changeShare: 0.25 }

const ACCEPT = 2
/** From this innovation on the curve is not the cause: the stem did not follow the command. */
const BROKEN = 4
/**
 * Minimum ratio of a predicted change to the noise at which a stuck valve can be distinguished from a healthy one.
 */
export const SIGNIFICANT = 4
const STUCK_SHARE = 0.3
const SLIPPING_SHARE = 0.7

/** Predicted change of ln ṁ by the valve's own move, in the loop after the campaign. */
function ownChange(model: LoopModel, approach: number, { consumer, from, to }: MoveOutcome): number {
  return (
    Math.log((approach + consumerS(model, consumer, from)) / (approach + consumerS(model, consumer, to))) / 2
  )
}

/**
 * Compares the change of each commanded flow with its prediction. `before` and `after` are the flows of the model
 * with the openings before and as commanded. A flow is compared with itself before the move, so the meter's own error
 * cancels. The part common to all (the head) is removed as the median. Consumers without a command (from = to) should
 * therefore be included: if there are few moves and some fail, the median of the moves alone is not reliable. Worked
 * example: verify.test.ts.
 */
export function judgeMoves(
  model: LoopModel,
  before: LoopFlows,
  after: LoopFlows,
  outcomes: readonly MoveOutcome[],
  limits: VerifyLimits = USUAL_LIMITS,
): MoveJudgement[] {
  const misses = outcomes.map(({ consumer, flowBefore, flowAfter }) => {
    const predicted = Math.log((after.flowKgS[consumer] ?? 0) / (before.flowKgS[consumer] ?? 0))
    const isMeasured = flowBefore > 0 && flowAfter > 0 && Number.isFinite(predicted)
    return isMeasured ? Math.log(flowAfter / flowBefore) - predicted : Number.NaN
  })
  const common = median(misses) ?? 0
  const approach = approachS(model, after)
  return outcomes.map((outcome, index): MoveJudgement => {
    const { consumer } = outcome
    const miss = (misses[index] ?? Number.NaN) - common
    const change = ownChange(model, approach[consumer] ?? 0, outcome)
    const sigma = Math.hypot(limits.flowSigma, limits.changeShare * change)
    const innovation = miss / sigma
    const followed = change === 0 ? 1 : 1 + miss / change
    return {
      consumer,
      innovation,
      change,
      followed,
      verdict: toVerdict(miss, change, followed, sigma, limits),
    }
  })
}

function toVerdict(
  miss: number,
  change: number,
  followed: number,
  sigma: number,
  { flowSigma, changeShare }: VerifyLimits,
): Verdict {
  if (Number.isNaN(miss)) return 'not-measured'
  if (Math.abs(change) < SIGNIFICANT * flowSigma)
    return Math.abs(miss) < ACCEPT * sigma ? 'too-small' : 'learn'
  // Closer to "did not move" than to "moved as commanded", and beyond what noise makes of a healthy valve.
  if (followed < STUCK_SHARE && Math.abs(miss) > ACCEPT * Math.hypot(flowSigma, changeShare * change))
    return 'stuck'
  if (followed < SLIPPING_SHARE && Math.abs(miss) > BROKEN * flowSigma) return 'slipping'
  return Math.abs(miss) < ACCEPT * sigma ? 'accepted' : 'learn'
}

/**
 * Consumers to trim: their return, °C, deviates from its target by more than the gate. NaN is never trimmed.
 */
export function gateTrim(returnC: Float64Array, targetC: Float64Array, gateK: number): number[] {
  return Array.from(returnC.keys()).filter(
    (i) => Math.abs((returnC[i] ?? Number.NaN) - (targetC[i] ?? Number.NaN)) > gateK,
  )
}
