import type { PumpFreedom } from '@isotherm/balancing/loop/loop-flows'
import { assumePump } from '@isotherm/balancing/records/assumed-pump'
import type { PumpMove, PumpStay } from '@isotherm/contract/balancing/balance-pump'
import { isHeadAt } from '@isotherm/contract/command'
import type { MeasuredLoop } from '../../measurements/measured-loop.ts'
import type { PumpRule } from './pump-rule.ts'

/** How a round may use the pump, and the reason if it may not. */
export interface PumpStart {
  readonly pump: PumpFreedom
  readonly stays?: PumpStay | undefined
  /**
   * Range of one command where it is narrower than the limits: the lowest head, kPa, and whether the maximum is
   * limited too.
   */
  readonly byStep?: { readonly minKpa: number | undefined; readonly isMost: boolean }
}

type Seen = Pick<MeasuredLoop, 'headPa' | 'heldKpa'>

/** A pump that is not set: its controller holds the head, or its speed stays constant. */
export const fixPump = ({ headPa, heldKpa }: Seen, totalKgS: number): PumpFreedom =>
  heldKpa ? { kind: 'fixed-head', headPa } : assumePump(headPa, totalKgS)

/**
 * How a round may use the pump: within its limits, and no further than one command may change it. A trim keeps the
 * head: it moves only valves far from their targets, and another head changes all flows.
 */
export function startPump(
  rule: PumpRule,
  seen: Seen,
  { totalKgS, isTrim }: { readonly totalKgS: number; readonly isTrim: boolean },
): PumpStart {
  const fixed = fixPump(seen, totalKgS)
  if (rule.kind === 'stays') return { pump: fixed, stays: rule.why }
  if (seen.heldKpa === undefined) return { pump: fixed, stays: 'no-control' }
  if (isTrim) return { pump: fixed, stays: 'enough' }
  const { minHeadKpa, maxHeadKpa, maxStepKpa } = rule.limits
  const nowKpa = seen.headPa / 1000
  // Heads are commanded in whole kPa, and the measured head varies a little.
  const stepKpa = Math.max(1, 0.95 * maxStepKpa)
  const minKpa = Math.ceil(Math.min(maxHeadKpa, Math.max(minHeadKpa, nowKpa - stepKpa)))
  const maxKpa = Math.max(minKpa, Math.floor(Math.max(minHeadKpa, Math.min(maxHeadKpa, nowKpa + stepKpa))))
  return {
    pump: { kind: 'free', minHeadPa: 1000 * minKpa, maxHeadPa: 1000 * maxKpa },
    byStep: {
      minKpa: minKpa > Math.ceil(minHeadKpa) ? minKpa : undefined,
      isMost: maxKpa < Math.floor(maxHeadKpa),
    },
  }
}

/** Reasons that pass with time. */
const PASSING: ReadonlySet<PumpStay> = new Set(['held', 'switched-off', 'absent'])

/**
 * Whether a later round with the same goal may move the pump further: in this round it accepted no command, or the
 * needed change was too large for one command. `scale` is the share of the target flows that the plan reaches.
 */
export function isPumpLeft({ stays, byStep }: PumpStart, move: PumpMove | undefined, scale: number): boolean {
  if (move === undefined) return stays !== undefined && PASSING.has(stays)
  return move.toKpa === byStep?.minKpa || (byStep?.isMost === true && scale < 1)
}

/** The head that a plan sets, in whole kPa; undefined if it equals the present head. */
export function toPumpMove(deviceId: number, { headPa }: Seen, aimedPa: number): PumpMove | undefined {
  const move = { deviceId, fromKpa: Math.round(headPa / 1000), toKpa: Math.round(aimedPa / 1000) }
  return isHeadAt(move.fromKpa, move.toKpa) ? undefined : move
}
