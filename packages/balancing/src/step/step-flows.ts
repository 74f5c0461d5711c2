import { sum } from '@isotherm/kernel/statistics'
import { type FlowEstimate, reconcileFlows, virtualFlow } from '../identify/reconcile-flows.ts'
import type { FlowKnowledge, LoopRecords, SeenLoop } from '../records/loop-records.ts'

/** Relative errors of a meter, of a flow from temperatures, and of the station's flow and head. */
export const STEP_SIGMA = { meter: 0.012, temperatures: 0.12, total: 0.01, head: 0.005 } as const

/** Assumed room temperature without a reading, °C. */
export const ASSUMED_ROOM_C = 20

/** Relative error of each consumer's flow. */
export const flowSigma = (flows: FlowKnowledge): number =>
  flows === 'metered' ? STEP_SIGMA.meter : STEP_SIGMA.temperatures

/** Flow of each consumer from its temperatures, kg/s; the design flow if they give none. */
function flowsByTemperature({ emitter, exponent, designKgS }: LoopRecords, seen: SeenLoop): Float64Array {
  return seen.supplyC.map((supplyC, i) => {
    const temperatures = { supplyC, returnC: seen.returnC[i] ?? Number.NaN, roomC: ASSUMED_ROOM_C }
    const flow = virtualFlow(emitter[i] ?? Number.NaN, exponent[i] ?? 1, temperatures)
    return flow > 0 ? flow : (designKgS[i] ?? 0)
  })
}

/** Common error of recorded emitters, from the meters or from the station's flow. */
function commonFactor(metered: Float64Array, guessed: Float64Array, totalKgS: number): number {
  const measured = metered.filter((flow) => flow > 0)
  if (measured.length > 0) return sum(measured) / sum(guessed.filter((_, i) => (metered[i] ?? 0) > 0))
  return totalKgS > 0 ? totalKgS / sum(guessed) : 1
}

/**
 * Most likely flows of a loop, kg/s, none of them NaN: from meters if there are any, otherwise from temperatures and
 * recorded emitters, reconciled with the station's flow. If the station has no flow reading, the flows of consumers
 * are used as they are. Worked example: step-flows.test.ts.
 */
export function findStepFlows(records: LoopRecords, seen: SeenLoop, flows: FlowKnowledge): Float64Array {
  const metered = seen.meterKgS.map((flow) => (flows === 'metered' && flow >= 0 ? flow : Number.NaN))
  const guessed = flowsByTemperature(records, seen)
  const common = commonFactor(metered, guessed, seen.totalKgS)
  const estimates = Array.from(metered, (flow, i): FlowEstimate => {
    if (flow >= 0) return { flowKgS: flow, sigmaKgS: STEP_SIGMA.meter * flow }
    const guess = guessed[i] ?? 0
    return { flowKgS: common * guess, sigmaKgS: STEP_SIGMA.temperatures * common * guess }
  })
  if (!(seen.totalKgS > 0)) return Float64Array.from(estimates, ({ flowKgS }) => flowKgS)
  return reconcileFlows(estimates, {
    flowKgS: seen.totalKgS,
    sigmaKgS: STEP_SIGMA.total * seen.totalKgS,
  })
}
