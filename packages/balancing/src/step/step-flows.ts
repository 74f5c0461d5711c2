import { median, sum } from '@isotherm/kernel/statistics'
import { type FlowEstimate, reconcileFlows, virtualFlow } from '../identify/reconcile-flows.ts'
import type { FlowKnowledge, LoopReadings, LoopRecords } from '../records/loop-records.ts'
import { ASSUMED_ROOM_C } from '../rooms/room-gate.ts'
import { withoutDeadMeters } from './dead-meters.ts'

/**
 * Relative errors of a meter, of a flow from temperatures, of a flow without any reading, and of the station's flow and
 * head.
 */
export const STEP_SIGMA = {
  meter: 0.012,
  temperatures: 0.12,
  unknown: 0.6,
  total: 0.01,
  head: 0.005,
} as const

/** Relative error of each consumer's flow. */
export const flowSigma = (flows: FlowKnowledge): number =>
  flows === 'metered' ? STEP_SIGMA.meter : STEP_SIGMA.temperatures

/** Relative error of a consumer's flow from its temperatures: its emitters are known as well as its area. */
const temperatureSigma = ({ areaSigma }: Pick<LoopRecords, 'areaSigma'>, i: number): number =>
  Math.hypot(STEP_SIGMA.temperatures, areaSigma?.[i] ?? 0)

/** Minimum difference between a return and its room at which a flow can be computed, K: the error of a room. */
const MIN_EXCESS_K = 0.5

/**
 * Flow of each consumer from its temperatures and rooms, kg/s. Water that leaves as cold as the room has little flow:
 * such a return counts as half a kelvin above the room. NaN without temperatures.
 */
function flowsByTemperature({ emitter, exponent }: LoopRecords, readings: LoopReadings): Float64Array {
  return readings.supplyC.map((supplyC, i) => {
    const roomC = readings.roomC[i] ?? Number.NaN
    const room = Number.isNaN(roomC) ? ASSUMED_ROOM_C : roomC
    const returnC = Math.max(readings.returnC[i] ?? Number.NaN, room + MIN_EXCESS_K)
    const flow = virtualFlow(emitter[i] ?? Number.NaN, exponent[i] ?? 1, { supplyC, returnC, roomC: room })
    return flow > 0 ? flow : Number.NaN
  })
}

/** Flows of consumers without temperatures: the usual share of their design flows. */
function fillByDesign(flows: Float64Array, { designKgS }: LoopRecords): Float64Array {
  const share = median(flows.map((flow, i) => flow / (designKgS[i] ?? Number.NaN))) ?? 1
  return flows.map((flow, i) => (Number.isNaN(flow) ? share * (designKgS[i] ?? 0) : flow))
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
export function findStepFlows(
  records: LoopRecords,
  readings: LoopReadings,
  flows: FlowKnowledge,
): Float64Array {
  const metered = withoutDeadMeters(readings).map((flow) => (flows === 'metered' ? flow : Number.NaN))
  const virtual = flowsByTemperature(records, readings)
  const guessed = fillByDesign(virtual, records)
  const common = commonFactor(metered, guessed, readings.totalKgS)
  const estimates = Array.from(metered, (flow, i): FlowEstimate => {
    if (flow >= 0) return { flowKgS: flow, sigmaKgS: STEP_SIGMA.meter * flow }
    const guess = guessed[i] ?? 0
    const share = Number.isNaN(virtual[i] ?? Number.NaN) ? STEP_SIGMA.unknown : temperatureSigma(records, i)
    return { flowKgS: common * guess, sigmaKgS: share * common * guess }
  })
  if (!(readings.totalKgS > 0)) return Float64Array.from(estimates, ({ flowKgS }) => flowKgS)
  return reconcileFlows(estimates, {
    flowKgS: readings.totalKgS,
    sigmaKgS: STEP_SIGMA.total * readings.totalKgS,
  })
}
