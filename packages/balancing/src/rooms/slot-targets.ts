import { median } from '@isotherm/kernel/statistics'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import type { FlowBounds, TargetLimit, Targets } from './targets.ts'
import { restAtFlow, restAtRoom, type ThermalModel } from './thermal-model.ts'

/**
 * Targets of a slot for each consumer: a share of its full flow, or, where that is NaN, a room temperature, °C.
 */
export interface SlotTargets {
  readonly share: Float64Array
  readonly roomC: Float64Array
  readonly fullKgS: Float64Array
  /** Present flow of each consumer. */
  readonly nowKgS: Float64Array
  /** Minimum of all room temperatures, °C (frost protection). */
  readonly frostC: number
}

/**
 * Flow at which rooms are steady at a temperature, kg/s; 0 if they need no heat, Infinity if the emitter is too
 * small.
 */
function flowAtRoom(model: ThermalModel, consumer: number, roomC: number): number {
  if (roomC <= model.outdoorC) return 0
  return restAtRoom(model, consumer, roomC)?.flowKgS ?? Number.POSITIVE_INFINITY
}

const isKnown = (model: ThermalModel, consumer: number): boolean =>
  (model.coefficient[consumer] ?? Number.NaN) > 0 && (model.lossWK[consumer] ?? Number.NaN) > 0

/**
 * An unknown consumer is assumed to have rooms at 20 °C with its full flow, which is what heating curves are made
 * for.
 */
const NOMINAL = { roomC: 20, supplyC: 45, dropK: 10, outdoorC: -10 } as const
const NOMINAL_EXPONENT = 1.3
/** A consumer below this share of its full flow is in a set-back: its rooms are still cooling. */
const RESTED_SHARE = 0.6

/**
 * Replaces envelopes that are not steady by the usual one. A room that is still warm while it gets little heat would
 * seem much better insulated than it is.
 */
function withSteadyEnvelopes(model: ThermalModel, fullKgS: Float64Array, nowKgS: Float64Array): ThermalModel {
  const isRested = (i: number): boolean => (nowKgS[i] ?? 0) >= RESTED_SHARE * (fullKgS[i] ?? 0)
  const lossOf = (i: number): number => (model.lossWK[i] ?? Number.NaN) / (fullKgS[i] ?? Number.NaN)
  const rested = [...fullKgS.keys()].filter((i) => isKnown(model, i) && isRested(i))
  const nominal = (WATER_HEAT_CAPACITY * NOMINAL.dropK) / (NOMINAL.roomC - NOMINAL.outdoorC)
  const usual = median(rested.map(lossOf)) ?? nominal
  return {
    ...model,
    lossWK: model.lossWK.map((loss, i) => (isRested(i) ? loss : Math.max(loss, usual * (fullKgS[i] ?? 0)))),
  }
}

/**
 * Fills in nominal emitters and envelopes where the model has none: shortly after a move no temperatures are trusted.
 */
function fillNominal(model: ThermalModel, fullKgS: Float64Array): ThermalModel {
  const { outdoorC } = model
  const warmth = (NOMINAL.roomC - outdoorC) / (NOMINAL.roomC - NOMINAL.outdoorC)
  const supplyC = model.supplyC.map((supply) => (Number.isNaN(supply) ? NOMINAL.supplyC : supply))
  const heatW = fullKgS.map((full) => WATER_HEAT_CAPACITY * full * NOMINAL.dropK * warmth)
  return {
    ...model,
    supplyC,
    exponent: model.exponent.map((exponent) => (exponent > 0 ? exponent : NOMINAL_EXPONENT)),
    lossWK: model.lossWK.map((loss, i) =>
      isKnown(model, i) ? loss : (heatW[i] ?? 0) / (NOMINAL.roomC - outdoorC),
    ),
    coefficient: model.coefficient.map((coefficient, i) => {
      if (isKnown(model, i)) return coefficient
      const inlet = (supplyC[i] ?? Number.NaN) - NOMINAL.roomC
      const outlet = inlet - NOMINAL.dropK * warmth
      const exponent = (model.exponent[i] ?? 0) > 0 ? (model.exponent[i] ?? 0) : NOMINAL_EXPONENT
      return outlet > 0 ? (heatW[i] ?? 0) / logMeanDifference(inlet, outlet) ** exponent : Number.NaN
    }),
  }
}

/**
 * Target flows of a slot, each within its bounds and at least the flow against frost. Openings and head are solved
 * afterwards for all consumers, because a closing valve gives flow to the others. Consumers unknown to the model get
 * nominal values and no prediction. Worked examples: slot-targets.test.ts.
 */
export function computeSlotTargets(
  model: ThermalModel,
  { share, roomC, fullKgS, nowKgS, frostC }: SlotTargets,
  { minKgS, maxKgS }: FlowBounds,
): Targets {
  const limited = new Map<number, TargetLimit>()
  const whole = fillNominal(withSteadyEnvelopes(model, fullKgS, nowKgS), fullKgS)
  const flowKgS = fullKgS.map((full, i) => {
    const part = share[i] ?? Number.NaN
    const requested = Number.isNaN(part) ? flowAtRoom(whole, i, roomC[i] ?? Number.NaN) : part * full
    const max = maxKgS[i] ?? Number.POSITIVE_INFINITY
    const min = Math.max(minKgS[i] ?? 0, Math.min(full, flowAtRoom(whole, i, frostC)))
    if (Number.isNaN(part) && !isKnown(model, i)) limited.set(i, 'unknown')
    else if (requested > max) limited.set(i, Number.isFinite(requested) ? 'max-flow' : 'emitter-too-small')
    else if (requested < min) limited.set(i, 'min-flow')
    return Math.min(max, Math.max(min, requested))
  })
  const rests = Array.from(flowKgS, (flow, i) => restAtFlow(model, i, flow))
  return {
    flowKgS,
    limited,
    common: Number.NaN,
    returnC: Float64Array.from(rests, (rest) => rest?.returnC ?? Number.NaN),
    roomC: Float64Array.from(rests, (rest) => rest?.roomC ?? Number.NaN),
  }
}
