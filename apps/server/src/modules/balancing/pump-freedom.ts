import { assumePump } from '@isotherm/balancing/assumed-pump'
import type { PumpFreedom } from '@isotherm/balancing/loop-flows'
import type { PumpMove, PumpStay } from '@isotherm/contract/balance-pump'
import { isHeadAt } from '@isotherm/contract/command'
import type { MeasuredLoop } from './measured-loop.ts'
import type { PumpRule } from './pump-rule.ts'

/** How a round begins with the pump, and why it stays if it does. */
export interface PumpStart {
  readonly pump: PumpFreedom
  readonly stays?: PumpStay | undefined
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
  const leastHeadPa = 1000 * Math.ceil(Math.min(maxHeadKpa, Math.max(minHeadKpa, nowKpa - stepKpa)))
  const mostHeadPa = 1000 * Math.floor(Math.max(minHeadKpa, Math.min(maxHeadKpa, nowKpa + stepKpa)))
  return { pump: { kind: 'free', leastHeadPa, mostHeadPa: Math.max(leastHeadPa, mostHeadPa) } }
}

/** The head a plan sets, in whole kPa; undefined for one that is there as far as anybody can tell. */
export function toPumpMove(deviceId: number, { headPa }: Seen, aimedPa: number): PumpMove | undefined {
  const move = { deviceId, fromKpa: Math.round(headPa / 1000), toKpa: Math.round(aimedPa / 1000) }
  return isHeadAt(move.fromKpa, move.toKpa) ? undefined : move
}
