import { sum } from '@isotherm/kernel/statistics'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { findRoot } from '../numeric/find-root.ts'
import {
  type RestPoint,
  restAtFlow,
  restAtHeat,
  restAtReturn,
  restAtRoom,
  type ThermalModel,
} from './thermal-model.ts'

/** Offset of each consumer from the common value, in its unit; 0 for most. */
type Offsets = Float64Array

/**
 * What a balance makes equal, arrays by consumer. The result is always a flow for each consumer. `return`, `mean`,
 * `room` with `totalKgS`: the common temperature is the one that uses this total flow. `room` with `roomC`: every
 * room at this temperature, °C. `energy`: heat for each m², W/m², times each consumer's correction. `flow`: kg/(h·m²)
 * of each consumer's class times its correction, scaled to `totalKgS` if that is given.
 */
export type TargetMode =
  | { readonly kind: 'return' | 'mean'; readonly totalKgS: number; readonly offsetK: Offsets }
  | { readonly kind: 'room-total'; readonly totalKgS: number; readonly offsetK: Offsets }
  | { readonly kind: 'room'; readonly roomC: number; readonly offsetK: Offsets }
  | {
      readonly kind: 'energy'
      readonly heatWM2: number
      readonly areaM2: Float64Array
      readonly correction: Float64Array
    }
  | {
      readonly kind: 'flow'
      readonly flowKgHM2: Float64Array
      readonly areaM2: Float64Array
      readonly correction: Float64Array
      readonly totalKgS: number | undefined
    }

/** Bounds of a consumer's target, kg/s. */
export interface FlowBounds {
  readonly minKgS: Float64Array
  readonly maxKgS: Float64Array
}

/** Why a consumer's target differs from the one of the mode. */
export type TargetLimit = 'emitter-too-small' | 'max-flow' | 'min-flow' | 'unknown'

export interface Targets {
  readonly flowKgS: Float64Array
  /** Expected steady temperatures, °C; NaN if the model does not know the consumer. */
  readonly returnC: Float64Array
  readonly roomC: Float64Array
  /** The common value: found (°C), requested, or the factor on flows; NaN for energy. */
  readonly common: number
  readonly limited: ReadonlyMap<number, TargetLimit>
}

/** Tolerance of a common temperature, K. */
const TOLERANCE_K = 1e-6
/** Maximum factor between class flows and the flows of stations. */
const MAX_FACTOR = 100
/**
 * Search range of common temperatures: from this far below the outdoor temperature to this far above the warmest
 * supply, K, without offsets.
 */
const MARGIN_K = 0.5

/** Steady state of a consumer at the common value of the mode. */
function restAtCommon(
  model: ThermalModel,
  mode: TargetMode & { kind: 'return' | 'mean' | 'room' | 'room-total' },
  consumer: number,
  common: number,
): RestPoint | undefined {
  const own = common + (mode.offsetK[consumer] ?? 0)
  if (mode.kind === 'return') return restAtReturn(model, consumer, own)
  if (mode.kind === 'mean')
    return restAtReturn(model, consumer, 2 * own - (model.supplyC[consumer] ?? Number.NaN))
  return restAtRoom(model, consumer, own)
}

/** Whether the model knows a consumer at all. */
const isKnown = (model: ThermalModel, consumer: number): boolean =>
  (model.coefficient[consumer] ?? Number.NaN) > 0 && (model.lossWK[consumer] ?? Number.NaN) > 0

/**
 * Writes flows at a common value. Consumers that the model does not know keep `presentKgS`. A target that an emitter
 * cannot reach gives the maximum flow if it is too high, and the minimum if it is too low.
 */
function writeFlows(
  model: ThermalModel,
  mode: TargetMode & { kind: 'return' | 'mean' | 'room' | 'room-total' },
  common: number,
  presentKgS: Float64Array,
  { minKgS, maxKgS }: FlowBounds,
  flows: Float64Array,
  limited?: Map<number, TargetLimit>,
): void {
  for (let i = 0; i < flows.length; i++) {
    if (!isKnown(model, i)) {
      flows[i] = presentKgS[i] ?? 0
      limited?.set(i, 'unknown')
      continue
    }
    const own = common + (mode.offsetK[i] ?? 0)
    const isCold =
      mode.kind === 'mean' ? 2 * own - (model.supplyC[i] ?? 0) <= model.outdoorC : own <= model.outdoorC
    const rest = restAtCommon(model, mode, i, common)
    const requested = rest?.flowKgS ?? (isCold ? 0 : Number.POSITIVE_INFINITY)
    const [min, max] = [minKgS[i] ?? 0, maxKgS[i] ?? Number.POSITIVE_INFINITY]
    flows[i] = Math.min(max, Math.max(min, requested))
    if (requested > max) limited?.set(i, Number.isFinite(requested) ? 'max-flow' : 'emitter-too-small')
    if (requested < min) limited?.set(i, 'min-flow')
  }
}

/**
 * The common target value at which the flows add up to the total; flows increase with it. One end of the range if the bounds
 * allow no such total.
 */
function findCommon(
  model: ThermalModel,
  mode: TargetMode & { kind: 'return' | 'mean' | 'room-total' },
  presentKgS: Float64Array,
  bounds: FlowBounds,
): number {
  const flows = new Float64Array(presentKgS.length)
  const warmest = model.supplyC.reduce((max, value) => Math.max(max, value || max), model.outdoorC)
  const reach = MARGIN_K + mode.offsetK.reduce((max, offset) => Math.max(max, Math.abs(offset)), 0)
  return findRoot(model.outdoorC - reach, warmest + reach, TOLERANCE_K, (common) => {
    writeFlows(model, mode, common, presentKgS, bounds, flows)
    return mode.totalKgS - sum(flows)
  })
}

/** Flows of modes without a common temperature, before bounds; Infinity if the emitter is too small. */
function requestedFlows(model: ThermalModel, mode: TargetMode & { kind: 'energy' | 'flow' }): Float64Array {
  const { areaM2, correction } = mode
  const own = (i: number): number => (areaM2[i] ?? 0) * (correction[i] ?? 1)
  if (mode.kind === 'flow') return areaM2.map((_, i) => ((mode.flowKgHM2[i] ?? 0) * own(i)) / 3600)
  return areaM2.map((_, i) => {
    if (!isKnown(model, i)) return Number.NaN
    return restAtHeat(model, i, mode.heatWM2 * own(i))?.flowKgS ?? Number.POSITIVE_INFINITY
  })
}

/** The factor on all flows, within bounds, that gives the total. */
function findFactor(requested: Float64Array, totalKgS: number, bounds: FlowBounds): number {
  const missing = (factor: number): number =>
    requested.reduce((left, flow, i) => left - clampFlow(factor * flow, i, bounds), totalKgS)
  return findRoot(0, MAX_FACTOR, 1e-9, missing)
}

const clampFlow = (flow: number, i: number, { minKgS, maxKgS }: FlowBounds): number =>
  Math.min(maxKgS[i] ?? Number.POSITIVE_INFINITY, Math.max(minKgS[i] ?? 0, flow))

/**
 * Target flows of any mode. `presentKgS` are the present flows of consumers that the model does not know. Source:
 * model-based balancing, flow as the common result of all modes; worked examples: targets.test.ts.
 */
export function computeTargets(
  model: ThermalModel,
  mode: TargetMode,
  presentKgS: Float64Array,
  bounds: FlowBounds,
): Targets {
  const limited = new Map<number, TargetLimit>()
  const flows = new Float64Array(presentKgS.length)
  let common = Number.NaN
  if (mode.kind === 'energy' || mode.kind === 'flow') {
    const requested = requestedFlows(model, mode)
    common =
      mode.kind === 'flow' && mode.totalKgS !== undefined ? findFactor(requested, mode.totalKgS, bounds) : 1
    requested.forEach((flow, i) => {
      const scaled = Number.isNaN(flow) ? (presentKgS[i] ?? 0) : common * flow
      flows[i] = clampFlow(scaled, i, bounds)
      if (Number.isNaN(flow)) limited.set(i, 'unknown')
      else if (scaled > (flows[i] ?? 0))
        limited.set(i, Number.isFinite(flow) ? 'max-flow' : 'emitter-too-small')
      else if (scaled < (flows[i] ?? 0)) limited.set(i, 'min-flow')
    })
  } else {
    common = mode.kind === 'room' ? mode.roomC : findCommon(model, mode, presentKgS, bounds)
    writeFlows(model, mode, common, presentKgS, bounds, flows, limited)
  }
  const rests = Array.from(flows, (flow, i) => restAtFlow(model, i, flow))
  return {
    flowKgS: flows,
    returnC: Float64Array.from(rests, (rest) => rest?.returnC ?? Number.NaN),
    roomC: Float64Array.from(rests, (rest) => rest?.roomC ?? Number.NaN),
    common,
    limited,
  }
}

/** Heat of all consumers at their targets, W: what the station must deliver. */
export function heatOfTargets(model: ThermalModel, { flowKgS, returnC }: Targets): number {
  return flowKgS.reduce((sum, flow, i) => {
    const heat = flow * WATER_HEAT_CAPACITY * ((model.supplyC[i] ?? Number.NaN) - (returnC[i] ?? Number.NaN))
    return sum + (Number.isNaN(heat) ? 0 : heat)
  }, 0)
}
