import { quantile } from '@isotherm/kernel/statistics'
import { type LoopFlows, maxHead, type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { consumerS, type LoopModel } from '../loop/loop-model.ts'
import { FULLY_OPEN, openingForDrop } from '../loop/valve-opening.ts'
import { findRoot } from '../numeric/find-root.ts'
import { findEconomyHead, shareHead } from './economy-head.ts'
import { solveMixed } from './fixed-flows.ts'

/** Request of an inversion. Arrays by consumer. */
export interface InvertRequest {
  readonly targetKgS: Float64Array
  /** Present openings, 0..1. */
  readonly openings: Float64Array
  /**
   * 1 for a valve that keeps its opening (stuck, offline, held, or not worth a move): its flow follows from the head.
   */
  readonly isFixed: Uint8Array
  readonly minOpening: number
  /** Opening of the index valve, 0.90 to 0.95. */
  readonly indexOpening: number
  /**
   * Share of the movable consumers that the head must serve. The rest are starved: they need maintenance, not more
   * pumping.
   */
  readonly servedShare: number
  /** Allowed shortage at the ends of the loop to save pump power, root mean square of ln ṁ/ṁ*: 0 for none. */
  readonly shortRms: number
  readonly pump: PumpFreedom
  /**
   * If the head is not enough: all targets shrink by the same factor, or only the consumers it does not reach are
   * short.
   */
  readonly shortage: 'shared' | 'at-the-end'
}

export interface Inversion {
  readonly openings: Float64Array
  /** Required head, Pa. */
  readonly headPa: number
  /** Flows with these openings according to the model. */
  readonly flows: LoopFlows
  /** Consumers below their target when fully open, and consumers above it at the minimum opening. */
  readonly starved: readonly number[]
  /** Consumers that are short only because the head was lowered to save pump power. */
  readonly spared: readonly number[]
  readonly overfed: readonly number[]
  /**
   * Factor on targets: below 1 if the pump is too weak, above 1 if others take over the flow of the spared consumers.
   */
  readonly scale: number
}

/** Maximum iterations between the head and the flows through fixed valves. */
const HEAD_ROUNDS = 8
const HEAD_TOLERANCE = 1e-7

interface Needs {
  /** Loss of head between the station and each node, Pa. */
  readonly path: Float64Array
  /** Head that each consumer needs, Pa; NaN for consumers that do not count. */
  readonly need: Float64Array
  /** Head that serves `servedShare` of the consumers, Pa; the given head if there is one. */
  readonly headPa: number
}

/**
 * Head that each movable consumer needs with its valve at the index opening, for flows scaled by `scale`: one sweep
 * up (flows) and one down (path losses). A fixed consumer takes the flow that the head at its node drives through it.
 */
function findNeeds(
  model: LoopModel,
  request: InvertRequest,
  scale: number,
  headPa: number | undefined,
): Needs {
  const { network } = model
  const { isFixed, indexOpening, servedShare, openings, targetKgS } = request
  const ownS = openings.map((opening, i) => (isFixed[i] === 1 ? consumerS(model, i, opening) : 0))
  const need = new Float64Array(network.circuitCount)
  // If all valves are fixed, the head is the one that fits their openings to the targets.
  const isAllFixed = !isFixed.includes(0)
  let given: Float64Array = targetKgS.map((value) => scale * value)
  let head = headPa
  for (let round = 0; ; round++) {
    const driven = head === undefined ? new Uint8Array(isFixed.length) : isFixed
    const { flowKgS, path } = solveMixed(model, given, driven, ownS, head ?? 0)
    for (let i = 0; i < need.length; i++) {
      const own = isFixed[i] === 1 ? (ownS[i] ?? 0) : consumerS(model, i, indexOpening)
      const before = path[network.circuitNode[i] ?? network.pipeCount] ?? 0
      const counts = isFixed[i] !== 1 || isAllFixed
      need[i] = counts ? before + own * (flowKgS[i] ?? 0) ** 2 : Number.NaN
    }
    const next = headPa ?? quantile(need, servedShare) ?? 0
    const isSettled = head !== undefined && Math.abs(next - head) <= HEAD_TOLERANCE * next
    // Without a given head and without fixed valves, no flow depends on the head.
    const isExact = headPa === undefined && !isFixed.includes(1)
    if (isSettled || isExact || round >= HEAD_ROUNDS) return { path, need, headPa: next }
    given = flowKgS
    head = next
  }
}

/** The largest factor on all targets, at most 1, for which the pump has enough head. */
function findScale(model: LoopModel, request: InvertRequest): number {
  if (request.shortage === 'at-the-end') return 1
  const totalKgS = request.targetKgS.reduce((sum, flow) => sum + flow, 0)
  const spare = (scale: number): number =>
    maxHead(request.pump, scale * totalKgS) - findNeeds(model, request, scale, undefined).headPa
  return spare(1) >= 0 ? 1 : findRoot(0, 1, 1e-4, spare)
}

/**
 * Openings and pump head for target flows, exact and in one sweep. In a tree the target flows give the flow of every
 * pipe, so path losses are known and each valve takes the remaining head: S_v,i = (H − path_i)/ṁᵢ² − S_c,i. The head
 * is what the index circuit needs at 90 to 95 % opening, minus the allowed shortage at the ends. If the pump cannot
 * provide it, all targets shrink by the same factor. If the pump cannot change, its head stays and the valves take
 * the surplus. Source: OneStep, inversion. Worked example and round trips: invert.test.ts.
 */
export function invert(model: LoopModel, request: InvertRequest): Inversion {
  const { network } = model
  const { targetKgS, isFixed, minOpening, pump } = request
  const whole = findScale(model, request)
  const totalKgS = whole * targetKgS.reduce((sum, flow) => sum + flow, 0)
  const given = pump.kind === 'free' ? undefined : maxHead(pump, totalKgS)
  const needs = findNeeds(model, request, whole, given)
  const isEconomic = pump.kind === 'free' && request.shortRms > 0 && isFixed.includes(0)
  const isShared = request.shortage === 'at-the-end' && given !== undefined
  const found = isEconomic
    ? findEconomyHead(model, request, needs.headPa, whole)
    : isShared
      ? shareHead(model, request, { headPa: given, scale: whole })
      : { ...needs, scale: whole, isShort: undefined }
  const minPa = pump.kind === 'free' ? (pump.minHeadPa ?? 0) : 0
  // At the minimum head the valves take the surplus.
  const { path, headPa, scale, isShort } =
    found.headPa < minPa
      ? { ...findNeeds(model, request, whole, minPa), scale: whole, isShort: undefined }
      : found
  const starved: number[] = []
  const spared: number[] = []
  const overfed: number[] = []
  const openings = request.openings.map((now, i) => {
    if (isFixed[i] === 1) return now
    const flow = scale * (targetKgS[i] ?? 0)
    if (!(flow > 0)) return minOpening
    const left = headPa - (path[network.circuitNode[i] ?? network.pipeCount] ?? 0)
    const valve = model.valves[i]
    if (valve === undefined) return now
    const circuit = network.circuitResistance[i] ?? 0
    const opening =
      isShort?.[i] === 1 ? FULLY_OPEN : openingForDrop(valve, circuit, left, flow, model.fluid.densityKgM3)
    if (opening >= FULLY_OPEN) {
      const isServed = isEconomic && (needs.need[i] ?? 0) <= needs.headPa
      ;(isServed ? spared : starved).push(i)
    }
    if (opening < minOpening) overfed.push(i)
    return Math.max(minOpening, opening)
  })
  const flows = solveLoop(model, openings, sourceAt(pump, headPa))
  return { openings, headPa, flows, starved, spared, overfed, scale }
}
