import type { PumpFreedom } from '@isotherm/balancing/loop/loop-flows'
import { assumePump } from '@isotherm/balancing/records/assumed-pump'
import type { PumpMove, PumpStay } from '@isotherm/contract/balancing/balance-pump'
import { isHeadAt } from '@isotherm/contract/command'
import type { MeasuredLoop } from '../measurements/measured-loop.ts'
import type { PumpRule } from './pump-rule.ts'

/** How a round begins with the pump, and why it stays if it does. */
export interface PumpStart {
  readonly pump: PumpFreedom
  readonly stays?: PumpStay | undefined
  /** Where one command may move it less far than the limits allow: the least head so, kPa, and whether the most is. */
  readonly byStep?: { readonly leastKpa: number | undefined; readonly isMost: boolean }
}

type Seen = Pick<MeasuredLoop, 'headPa' | 'heldKpa'>

/** A pump that is not set: its controller keeps the head that it holds, or it goes on at its speed. */
export const keepPump = ({ headPa, heldKpa }: Seen, totalKgS: number): PumpFreedom =>
  heldKpa ? { kind: 'fixed-head', headPa } : assumePump(headPa, totalKgS)

/**
 * What a round may do with the pump: within its limits, and no farther than one command may move it. A trim keeps the
 * head: it moves only who is far from the target, and another head moves all.
 */
export function startPump(
  rule: PumpRule,
  seen: Seen,
  { totalKgS, isTrim }: { readonly totalKgS: number; readonly isTrim: boolean },
): PumpStart {
  const kept = keepPump(seen, totalKgS)
  if (rule.kind === 'stays') return { pump: kept, stays: rule.why }
  if (seen.heldKpa === undefined) return { pump: kept, stays: 'no-control' }
  if (isTrim) return { pump: kept, stays: 'enough' }
  const { minHeadKpa, maxHeadKpa, maxStepKpa } = rule.limits
  const nowKpa = seen.headPa / 1000
  // A head is told in whole kPa; what is measured when it is told is not quite what was measured now.
  const stepKpa = Math.max(1, 0.95 * maxStepKpa)
  const leastKpa = Math.ceil(Math.min(maxHeadKpa, Math.max(minHeadKpa, nowKpa - stepKpa)))
  const mostKpa = Math.max(leastKpa, Math.floor(Math.max(minHeadKpa, Math.min(maxHeadKpa, nowKpa + stepKpa))))
  return {
    pump: { kind: 'free', leastHeadPa: 1000 * leastKpa, mostHeadPa: 1000 * mostKpa },
    byStep: {
      leastKpa: leastKpa > Math.ceil(minHeadKpa) ? leastKpa : undefined,
      isMost: mostKpa < Math.floor(maxHeadKpa),
    },
  }
}

/** Reasons to let a pump be that pass. */
const PASSING: ReadonlySet<PumpStay> = new Set(['held', 'switched-off', 'absent'])

/**
 * Whether a round leaves the pump where a later one may bring it farther, with nothing else asked for: it could not be told
 * anything, or not at once as much as is needed. `scale` is the part of the flows asked for that the plan gives.
 */
export function isPumpLeft({ stays, byStep }: PumpStart, move: PumpMove | undefined, scale: number): boolean {
  if (move === undefined) return stays !== undefined && PASSING.has(stays)
  return move.toKpa === byStep?.leastKpa || (byStep?.isMost === true && scale < 1)
}

/** The head a plan sets, in whole kPa; undefined for one that is there as far as anybody can tell. */
export function toPumpMove(deviceId: number, { headPa }: Seen, aimedPa: number): PumpMove | undefined {
  const move = { deviceId, fromKpa: Math.round(headPa / 1000), toKpa: Math.round(aimedPa / 1000) }
  return isHeadAt(move.fromKpa, move.toKpa) ? undefined : move
}
