import { median, sum } from '@isotherm/kernel/statistics'
import type { LoopReadings, LoopRecords } from '../records/loop-records.ts'
import { estimateRooms } from '../rooms/room-estimate.ts'
import { ASSUMED_ROOM_C } from '../rooms/room-gate.ts'
import { computeSlotTargets } from '../rooms/slot-targets.ts'
import { computeTargets, type FlowBounds, type TargetMode, type Targets } from '../rooms/targets.ts'
import { type ThermalModel, thermalModelAt } from '../rooms/thermal-model.ts'

/**
 * Goal of a step: equal temperatures of all consumers at the present flow of the loop, heat for each m² (W/m²), or
 * flow for each m² (kg/(h·m²); without it the present flow by area). Offsets by consumer, K. In a slot of a sequence:
 * a share of each full flow (`flowKgHM2`, without it the design flow), or room temperatures, °C, where the share is
 * NaN; no room below `frostC`.
 */
export type StepGoal =
  | {
      readonly kind: 'temperature'
      readonly target: 'return' | 'mean' | 'room'
      /**
       * Moves each valve by its own return: `proportional` in rounds, `slow-trim` a little every day. Without it all
       * valves are solved together.
       */
      readonly method?: 'proportional' | 'slow-trim' | undefined
      readonly offsetK?: Float64Array
    }
  | { readonly kind: 'energy'; readonly heatWM2: number }
  | { readonly kind: 'flow'; readonly flowKgHM2?: number | undefined }
  | {
      readonly kind: 'sequence'
      readonly flowKgHM2?: number | undefined
      readonly share: Float64Array
      readonly roomC: Float64Array
      readonly frostC: number
    }

/** Standard deviation of the room with the sensor from the mean of its building, K. */
const ROOM_SIGMA_K = 0.65
const HEAT_SIGMA = 0.02
/** Bounds of targets as shares of the design flow. */
const MIN_SHARE = 0.3
const MAX_SHARE = 2
const SECONDS_PER_HOUR = 3600
/**
 * A loop with this much less or more than its design flow gets wider bounds, so that its flow can be distributed at
 * all.
 */
const WIDE_SHARE = { min: 0.5, max: 1.5 } as const

const filled = (count: number, value: number): Float64Array => new Float64Array(count).fill(value)
/**
 * Mean room temperature of all consumers, estimated from sensors, emitters and envelopes, °C; NaN everywhere without
 * any sensor.
 */
export const roomsOf = (records: LoopRecords, readings: LoopReadings, flowKgS: Float64Array): Float64Array =>
  estimateRooms({
    ...readings,
    flowKgS,
    exponent: records.exponent,
    areaM2: records.areaM2,
    areaSigma: records.areaSigma,
    sensorC: readings.roomC,
    sensorSigmaK: ROOM_SIGMA_K,
    heatSigma: HEAT_SIGMA,
  }).roomC

/** Consumers without trusted temperatures take heat like the others of the same area. */
function fillUnknown(model: ThermalModel, { areaM2 }: LoopRecords): ThermalModel {
  const fill = (values: Float64Array): Float64Array => {
    const usual = median(values.map((value, i) => value / (areaM2[i] ?? Number.NaN))) ?? Number.NaN
    return values.map((value, i) => (Number.isNaN(value) ? usual * (areaM2[i] ?? 0) : value))
  }
  const supplyC = median(model.supplyC) ?? Number.NaN
  return {
    ...model,
    supplyC: model.supplyC.map((value) => (Number.isNaN(value) ? supplyC : value)),
    coefficient: fill(model.coefficient),
    lossWK: fill(model.lossWK),
  }
}

/** Thermal model of the consumers with these rooms, °C. */
export const thermalOf = (
  records: LoopRecords,
  readings: LoopReadings,
  flowKgS: Float64Array,
  roomC: Float64Array,
): ThermalModel =>
  fillUnknown(thermalModelAt({ ...readings, flowKgS, roomC, exponent: records.exponent }), records)

function boundsOf({ designKgS }: LoopRecords, flowKgS: Float64Array, isFixed: Uint8Array): FlowBounds {
  const share = sum(flowKgS) / sum(designKgS)
  const min = MIN_SHARE * Math.min(1, share / WIDE_SHARE.min)
  const max = MAX_SHARE * Math.max(1, share / WIDE_SHARE.max)
  const bound = (by: number): Float64Array =>
    designKgS.map((flow, i) => (isFixed[i] === 1 ? (flowKgS[i] ?? 0) : by * flow))
  return { minKgS: bound(min), maxKgS: bound(max) }
}

/** Bounds that leave every consumer at least a minimum flow. */
const raiseMin = (bounds: FlowBounds, minKgS: Float64Array | undefined): FlowBounds =>
  minKgS === undefined
    ? bounds
    : {
        minKgS: bounds.minKgS.map((flow, i) => Math.max(flow, minKgS[i] ?? 0)),
        maxKgS: bounds.maxKgS.map((flow, i) => Math.max(flow, minKgS[i] ?? 0)),
      }

function modeOf(
  goal: Exclude<StepGoal, { kind: 'sequence' }>,
  { areaM2 }: LoopRecords,
  totalKgS: number,
): TargetMode {
  const count = areaM2.length
  if (goal.kind === 'energy')
    return { kind: 'energy', heatWM2: goal.heatWM2, areaM2, correction: filled(count, 1) }
  if (goal.kind === 'flow') {
    const own = { flowKgHM2: filled(count, goal.flowKgHM2 ?? 1), areaM2, correction: filled(count, 1) }
    return { kind: 'flow', ...own, totalKgS: goal.flowKgHM2 === undefined ? totalKgS : undefined }
  }
  const kind = goal.target === 'room' ? 'room-total' : goal.target
  return { kind, totalKgS, offsetK: goal.offsetK ?? filled(count, 0) }
}

/** Targets of a slot. A group that is shut down may get less than the minimum flow of the others. */
function computeLevelTargets(
  goal: Extract<StepGoal, { kind: 'sequence' }>,
  { areaM2, designKgS }: LoopRecords,
  thermal: ThermalModel,
  nowKgS: Float64Array,
  { minKgS, maxKgS }: FlowBounds,
  isFixed: Uint8Array,
): Targets {
  const { flowKgHM2, share, roomC, frostC } = goal
  const fullKgS =
    flowKgHM2 === undefined ? designKgS : areaM2.map((area) => (flowKgHM2 * area) / SECONDS_PER_HOUR)
  const min = minKgS.map((flow, i) => (isFixed[i] === 1 ? flow : 0))
  return computeSlotTargets(thermal, { share, roomC, fullKgS, nowKgS, frostC }, { minKgS: min, maxKgS })
}

/** A loop with its readings, and the goal of the step. */
export interface StepTargetOrder {
  readonly records: LoopRecords
  readonly readings: LoopReadings
  readonly flowKgS: Float64Array
  /** Room temperatures of all consumers (`roomsOf`), °C; NaN without a reading. */
  readonly roomC: Float64Array
  readonly goal: StepGoal
  /** 1 for a consumer that keeps its present flow. */
  readonly isFixed: Uint8Array
  /** Minimum flows for the sake of rooms (`findMinFlows`), kg/s. */
  readonly minKgS?: Float64Array | undefined
}

/**
 * Target flows of a step. Return targets hardly depend on the assumed rooms (flows change by 10⁻⁴); targets of rooms
 * and heat use the known rooms.
 */
export function computeStepTargets({
  records,
  readings,
  flowKgS,
  roomC,
  goal,
  isFixed,
  minKgS,
}: StepTargetOrder): Targets {
  const needsRooms =
    goal.kind === 'energy' ||
    goal.kind === 'sequence' ||
    (goal.kind === 'temperature' && goal.target === 'room')
  const rooms = needsRooms && roomC.some((room) => !Number.isNaN(room)) ? roomC : undefined
  const assumed = filled(flowKgS.length, ASSUMED_ROOM_C)
  const thermal = thermalOf(records, readings, flowKgS, rooms ?? assumed)
  const bounds = raiseMin(boundsOf(records, flowKgS, isFixed), minKgS)
  const coefficient = thermal.coefficient.map((value, i) => (isFixed[i] === 1 ? Number.NaN : value))
  const model = { ...thermal, coefficient }
  const targets =
    goal.kind === 'sequence'
      ? computeLevelTargets(goal, records, model, flowKgS, bounds, isFixed)
      : computeTargets(model, modeOf(goal, records, sum(flowKgS)), flowKgS, bounds)
  return { ...targets, limited: new Map([...targets.limited].filter(([i]) => isFixed[i] !== 1)) }
}
