import { median } from '@isotherm/kernel/statistics'
import { approachS } from '../loop/approach-resistance.ts'
import type { LoopFlows } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'

/** A move that was commanded, with what was measured before and after it settled, kg/s; NaN where it was not. */
export interface MoveOutcome {
  readonly consumer: number
  readonly from: number
  readonly to: number
  readonly flowBefore: number
  readonly flowAfter: number
}

/**
 * `accepted`: as predicted. `learn`: off by so much that the valve's curve should be learned. `stuck`: the flow did not
 * follow at all; `slipping`: it followed by a part. `too-small`: the move was too small to tell. `not-measured`.
 */
export type Verdict = 'accepted' | 'learn' | 'stuck' | 'slipping' | 'too-small' | 'not-measured'

export interface MoveJudgement {
  readonly consumer: number
  readonly verdict: Verdict
  /** (ln measured − ln predicted)/σ, the loop's common part taken out. */
  readonly innovation: number
  /** Change of ln ṁ that was predicted of the valve alone. */
  readonly change: number
  /** Part of the predicted change that came: 0 stuck, 1 as predicted. */
  readonly followed: number
}

export interface VerifyLimits {
  /** Of a flow beside itself before, as a share: meter noise and what others' moves do to it. */
  readonly flowSigma: number
  /** Of a predicted change of ln ṁ, as a share of the change: valve curve, circuit, mains. */
  readonly changeShare: number
}

export const USUAL_LIMITS: VerifyLimits = { flowSigma: 0.012, changeShare: 0.25 }
/** Where only a few valves move and the rest of the loop stands still: little more than the noise of meters. */
export const QUIET_LIMITS: VerifyLimits = { flowSigma: 0.006, changeShare: 0.25 }

const ACCEPT = 2
/** From this innovation on it is not the curve: the stem did not do what it was told. */
const BROKEN = 4
/** A predicted change must stand out of the noise by this to tell a stuck valve from a sound one. */
export const TELLING = 4
const STUCK_SHARE = 0.3
const SLIPPING_SHARE = 0.7

/** ln of the flow's predicted change by its own valve alone: in the loop as it is after the campaign, told beside not told. */
function ownChange(model: LoopModel, approach: number, { consumer, from, to }: MoveOutcome): number {
  return (
    Math.log((approach + consumerS(model, consumer, from)) / (approach + consumerS(model, consumer, to))) / 2
  )
}

/**
 * Holds what flows did against what was predicted, for every commanded move. `before` and `after` are the model's flows with
 * the openings before and as commanded. A flow is compared with itself before, so that its meter's own error drops out;
 * what all have in common (the head) is taken out as the median, so that consumers who were told nothing (from = to) are
 * worth giving too: few moves among which some fail would be their own measure. Worked example: verify.test.ts.
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
    const isTold = flowBefore > 0 && flowAfter > 0 && Number.isFinite(predicted)
    return isTold ? Math.log(flowAfter / flowBefore) - predicted : Number.NaN
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
  if (Math.abs(change) < TELLING * flowSigma) return Math.abs(miss) < ACCEPT * sigma ? 'too-small' : 'learn'
  // Nearer to "did not move" than to "moved as told", and out of what noise alone could make of a sound valve.
  if (followed < STUCK_SHARE && Math.abs(miss) > ACCEPT * Math.hypot(flowSigma, changeShare * change))
    return 'stuck'
  if (followed < SLIPPING_SHARE && Math.abs(miss) > BROKEN * flowSigma) return 'slipping'
  return Math.abs(miss) < ACCEPT * sigma ? 'accepted' : 'learn'
}

/** Who a trim moves: those whose return, °C, is further from its target than the gate. NaN moves nobody. */
export function gateTrim(returnC: Float64Array, targetC: Float64Array, gateK: number): number[] {
  return Array.from(returnC.keys()).filter(
    (i) => Math.abs((returnC[i] ?? Number.NaN) - (targetC[i] ?? Number.NaN)) > gateK,
  )
}
