import { weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import type { StepGoal } from '../step/step-targets.ts'
import type { StepOrder, StepPoint } from './plan-step.ts'

/**
 * The quantity that a goal makes equal for all consumers: return temperatures, means of supply and return, or room
 * temperatures (their spread is in K); or flows relative to their targets (their spread is a share).
 */
export type EqualQuantity = 'return' | 'mean' | 'room' | 'target-flow'

export const quantityOf = (goal: StepGoal): EqualQuantity =>
  goal.kind === 'temperature' ? goal.target : 'target-flow'

/** The order of a step, and its target flows, kg/s. */
export interface SpreadOrder extends Pick<StepOrder, 'goal' | 'records' | 'readings'> {
  readonly targetKgS: Float64Array
  /** 1 for a consumer that counts; all count without it. */
  readonly counts?: Uint8Array | undefined
}

/** Value of each consumer that the goal makes equal. */
function valuesOf(
  { goal, readings, targetKgS }: SpreadOrder,
  { flowKgS, returnC, roomC }: Pick<StepPoint, 'flowKgS' | 'returnC' | 'roomC'>,
): Float64Array {
  if (goal.kind !== 'temperature')
    return flowKgS.map((flow, i) => flow / (targetKgS[i] ?? Number.NaN) - 1).map(finiteOnly)
  const offsetOf = (i: number): number => goal.offsetK?.[i] ?? 0
  if (goal.target === 'room') return roomC.map((room, i) => room - offsetOf(i))
  if (goal.target === 'return') return returnC.map((value, i) => value - offsetOf(i))
  return returnC.map((value, i) => (value + (readings.supplyC[i] ?? Number.NaN)) / 2 - offsetOf(i))
}

const finiteOnly = (value: number): number => (Number.isFinite(value) ? value : Number.NaN)

/**
 * Distance of a loop from its goal: the area-weighted standard deviation of temperatures minus their offsets, K, or
 * √(mean of ((ṁ − ṁ*)/ṁ*)²) of flows. NaN if no value is known.
 */
export function spreadOfGoal(
  order: SpreadOrder,
  point: Pick<StepPoint, 'flowKgS' | 'returnC' | 'roomC'>,
): number {
  const { counts, goal, records } = order
  const values = valuesOf(order, point).map((value, i) =>
    counts === undefined || counts[i] === 1 ? value : Number.NaN,
  )
  if (goal.kind === 'temperature') return weightedDeviation(values, records.areaM2) ?? Number.NaN
  return Math.sqrt(weightedMean(values.map((value) => value ** 2)) ?? Number.NaN)
}
