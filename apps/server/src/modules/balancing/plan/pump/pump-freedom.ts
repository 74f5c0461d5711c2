import type { PumpFreedom } from '@isotherm/balancing/loop/loop-flows'
import { assumePump } from '@isotherm/balancing/records/assumed-pump'
import type { PumpMove, PumpStay } from '@isotherm/contract/balancing/balance-pump'
import { isHeadAt } from '@isotherm/contract/command'
import type { MeasuredLoop } from '../../measurements/measured-loop.ts'
import type { PumpRule } from './pump-rule.ts'

/** How a round may use the pump. */
export interface PumpStart {
  readonly pump: PumpFreedom
  /** Why the round may not set the pump. */
  readonly stays?: PumpStay | undefined
  /**
   * Bounds of this round that are narrower than the limits, because one command may not change the head further:
   * the minimum, kPa, and whether there is such a maximum.
   */
  readonly stepBounds?: { readonly minKpa: number | undefined; readonly hasMax: boolean }
}

/** The measured head, and the head that the controller holds. */
type Heads = Pick<MeasuredLoop, 'headPa' | 'heldKpa'>

/** A pump that is not set: its controller holds the head, or its speed stays constant. */
export const fixPump = ({ headPa, heldKpa }: Heads, totalKgS: number): PumpFreedom =>
  heldKpa ? { kind: 'fixed-head', headPa } : assumePump(headPa, totalKgS)

/**
 * How a round may use the pump: within its limits, and no further than one command may change it. A trim keeps the
 * head: it moves only valves far from their targets, and another head changes all flows.
 */
export function startPump(
  rule: PumpRule,
  heads: Heads,
  { totalKgS, isTrim }: { readonly totalKgS: number; readonly isTrim: boolean },
): PumpStart {
  const fixed = fixPump(heads, totalKgS)
  if (rule.kind === 'stays') return { pump: fixed, stays: rule.why }
  if (heads.heldKpa === undefined) return { pump: fixed, stays: 'no-control' }
  if (isTrim) return { pump: fixed, stays: 'enough' }
  const { minHeadKpa, maxHeadKpa, maxStepKpa } = rule.limits
  const nowKpa = heads.headPa / 1000
  // Heads are commanded in whole kPa, and the measured head varies a little.
  const stepKpa = Math.max(1, 0.95 * maxStepKpa)
  const minKpa = Math.ceil(Math.min(maxHeadKpa, Math.max(minHeadKpa, nowKpa - stepKpa)))
  const maxKpa = Math.max(minKpa, Math.floor(Math.max(minHeadKpa, Math.min(maxHeadKpa, nowKpa + stepKpa))))
  return {
    pump: { kind: 'free', minHeadPa: 1000 * minKpa, maxHeadPa: 1000 * maxKpa },
    stepBounds: {
      minKpa: minKpa > Math.ceil(minHeadKpa) ? minKpa : undefined,
      hasMax: maxKpa < Math.floor(maxHeadKpa),
    },
  }
}

/** Reasons that pass with time. */
const PASSING: ReadonlySet<PumpStay> = new Set(['held', 'switched-off', 'absent'])

/**
 * Whether a later round with the same goal may move the pump further: in this round it accepted no command, or the
 * needed change was too large for one command. `scale` is the share of the target flows that the plan reaches.
 */
export function isPumpLeft(
  { stays, stepBounds }: PumpStart,
  move: PumpMove | undefined,
  scale: number,
): boolean {
  if (move === undefined) return stays !== undefined && PASSING.has(stays)
  return move.toKpa === stepBounds?.minKpa || (stepBounds?.hasMax === true && scale < 1)
}

/** The head that a plan sets, in whole kPa; undefined if it equals the present head. */
export function toPumpMove(deviceId: number, { headPa }: Heads, targetPa: number): PumpMove | undefined {
  const move = { deviceId, fromKpa: Math.round(headPa / 1000), toKpa: Math.round(targetPa / 1000) }
  return isHeadAt(move.fromKpa, move.toKpa) ? undefined : move
}
