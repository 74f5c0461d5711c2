import { median, sum } from '@isotherm/kernel/statistics'
import type { LoopRecords, SeenLoop } from '../records/loop-records.ts'
import { estimateRooms } from '../rooms/room-estimate.ts'
import { aimSlot } from '../rooms/slot-aims.ts'
import { computeTargets, type FlowBounds, type TargetMode, type Targets } from '../rooms/targets.ts'
import { type ThermalModel, thermalModelAt } from '../rooms/thermal-model.ts'
import { ASSUMED_ROOM_C } from './step-flows.ts'

/**
 * What a step makes equal: a temperature of all consumers at the loop's present flow, heat for each m² (W/m²), or flow for
 * each m² (kg/(h·m²); without it the present flow by area). Offsets by consumer, K. Or what each is held to in a slot of a
 * sequence: a share of its full flow (`flowKgHM2`, without it the design flow), or rooms at a temperature, °C, where the
 * share is NaN; and rooms of nobody below `frostC`.
 */
export type StepGoal =
  | {
      readonly kind: 'temperature'
      readonly target: 'return' | 'mean' | 'room'
      /** Each valve by its own return, a part of the way in each round or slowly; without it all are solved together. */
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

/** A sensor hangs in one room of a building: how far that may be from the mean of its rooms, K. */
const ROOM_SIGMA_K = 0.65
const HEAT_SIGMA = 0.02
/** Targets stay within these shares of the design flow. */
const LEAST_SHARE = 0.3
const MOST_SHARE = 2
const SECONDS_PER_HOUR = 3600
/** A loop that has this much more or less than its design flow widens them, so that its flow can be shared out at all. */
const WIDE_SHARE = { least: 0.5, most: 1.5 } as const

const filled = (count: number, value: number): Float64Array => new Float64Array(count).fill(value)
/** Mean rooms of all consumers as sensors, emitters and envelopes tell them, °C; NaN everywhere without any sensor. */
export const roomsOf = (records: LoopRecords, seen: SeenLoop, flowKgS: Float64Array): Float64Array =>
  estimateRooms({
    ...seen,
    flowKgS,
    exponent: records.exponent,
    areaM2: records.areaM2,
    sensorC: seen.roomC,
    sensorSigmaK: ROOM_SIGMA_K,
    heatSigma: HEAT_SIGMA,
  }).roomC

/** Consumers whose temperatures are not believed take heat as the others of their area do. */
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

/** How consumers take heat, with these rooms (°C) behind them. */
export const thermalOf = (
  records: LoopRecords,
  seen: SeenLoop,
  flowKgS: Float64Array,
  roomC: Float64Array,
): ThermalModel =>
  fillUnknown(thermalModelAt({ ...seen, flowKgS, roomC, exponent: records.exponent }), records)

function boundsOf({ designKgS }: LoopRecords, flowKgS: Float64Array, isFixed: Uint8Array): FlowBounds {
  const share = sum(flowKgS) / sum(designKgS)
  const least = LEAST_SHARE * Math.min(1, share / WIDE_SHARE.least)
  const most = MOST_SHARE * Math.max(1, share / WIDE_SHARE.most)
  const bound = (by: number): Float64Array =>
    designKgS.map((flow, i) => (isFixed[i] === 1 ? (flowKgS[i] ?? 0) : by * flow))
  return { leastKgS: bound(least), mostKgS: bound(most) }
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

/** Targets of a slot: whoever is shut down may get less than the others are kept above. */
function aimAtLevels(
  goal: Extract<StepGoal, { kind: 'sequence' }>,
  { areaM2, designKgS }: LoopRecords,
  thermal: ThermalModel,
  nowKgS: Float64Array,
  { leastKgS, mostKgS }: FlowBounds,
  isFixed: Uint8Array,
): Targets {
  const { flowKgHM2, share, roomC, frostC } = goal
  const fullKgS =
    flowKgHM2 === undefined ? designKgS : areaM2.map((area) => (flowKgHM2 * area) / SECONDS_PER_HOUR)
  const least = leastKgS.map((flow, i) => (isFixed[i] === 1 ? flow : 0))
  return aimSlot(thermal, { share, roomC, fullKgS, nowKgS, frostC }, { leastKgS: least, mostKgS })
}

/** A loop as it is seen, and what is wanted of it. */
export interface AimOrder {
  readonly records: LoopRecords
  readonly seen: SeenLoop
  readonly flowKgS: Float64Array
  /** Of all consumers (`roomsOf`), °C; NaN where nobody measures. */
  readonly roomC: Float64Array
  readonly goal: StepGoal
  /** 1 for a consumer that keeps the flow it has, whatever is wanted. */
  readonly isFixed: Uint8Array
}

/**
 * Target flows of a step. The target of returns hardly depends on the rooms behind them (flows by 10⁻⁴), which are assumed;
 * rooms and heat need them where they are known.
 */
export function aimStep({ records, seen, flowKgS, roomC, goal, isFixed }: AimOrder): Targets {
  const needsRooms =
    goal.kind === 'energy' ||
    goal.kind === 'sequence' ||
    (goal.kind === 'temperature' && goal.target === 'room')
  const rooms = needsRooms && roomC.some((room) => !Number.isNaN(room)) ? roomC : undefined
  const assumed = filled(flowKgS.length, ASSUMED_ROOM_C)
  const thermal = thermalOf(records, seen, flowKgS, rooms ?? assumed)
  const bounds = boundsOf(records, flowKgS, isFixed)
  const coefficient = thermal.coefficient.map((value, i) => (isFixed[i] === 1 ? Number.NaN : value))
  const model = { ...thermal, coefficient }
  const targets =
    goal.kind === 'sequence'
      ? aimAtLevels(goal, records, model, flowKgS, bounds, isFixed)
      : computeTargets(model, modeOf(goal, records, sum(flowKgS)), flowKgS, bounds)
  return { ...targets, limited: new Map([...targets.limited].filter(([i]) => isFixed[i] !== 1)) }
}
