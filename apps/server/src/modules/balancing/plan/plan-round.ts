import { positionFor } from '@isotherm/balancing/moves/backlash'
import type { OpeningRange } from '@isotherm/balancing/moves/moves-within'
import { forecastInSteps, type PlanConfidence } from '@isotherm/balancing/plan/plan-confidence'
import { planStep, type PlannedStep as Step, type StepOrder } from '@isotherm/balancing/plan/plan-step'
import { type PlanRefusal, refusePlan } from '@isotherm/balancing/plan/refuse-plan'
import type { RecordEstimates } from '@isotherm/balancing/records/assumed-loop'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import type { PumpMove, PumpStay } from '@isotherm/contract/balancing/balance-pump'
import type { BalanceMode, MemberExclusion } from '@isotherm/contract/balancing/campaign'
import { AppError } from '../../../platform/app-error.ts'
import { runInSlices } from '../../../platform/tasks/turns/run-in-slices.ts'
import type { Exclusions } from '../loop/exclusions.ts'
import type { Loop } from '../loop/loop.ts'
import type { Place } from '../loop/place.ts'
import { returnOffsetsOf } from '../loop/return-offsets.ts'
import { findLowered, type GroupPaths, toStepGoal } from '../loop/slot-levels.ts'
import { coldestRoom, type MeasuredLoop } from '../measurements/measured-loop.ts'
import { nameUnmeasured } from '../measurements/name-unmeasured.ts'
import { listRooms } from '../measurements/room-figures.ts'
import { findSupplyChange, type SupplyDay } from '../measurements/supply-change.ts'
import type { RoomRest } from '../settling/room-rest.ts'
import { findReasons, isMember } from './members.ts'
import { BACKLASH } from './motor-backlash.ts'
import type { RoundPlan } from './planner.ts'
import { fixPump, isPumpLeft, type PumpStart, startPump, toPumpMove } from './pump/pump-freedom.ts'
import { NO_CONTROL, type PumpRule } from './pump/pump-rule.ts'
import { isSettling, requireRest } from './require-rest.ts'
import { type RoundMemory, stepMemoryFor } from './round-memory.ts'
import { toRoundPlan } from './to-round-plan.ts'
import { isSlowTrim, narrowToSpan, type TrimBase, toTrimMemory } from './trim-base.ts'

/** Input of a round: everything known of its loop. */
export interface RoundOrder {
  readonly place: Place
  readonly mode: BalanceMode
  readonly loop: Loop
  readonly records: LoopRecords
  /** Estimates in the records, for the memory of the round. */
  readonly estimates?: RecordEstimates | undefined
  readonly measured: MeasuredLoop
  readonly exclusions: Exclusions
  /** Whether the round may set the station's pump; otherwise heads are only advised. */
  readonly pump?: PumpRule | undefined
  /** The last opening that a valve reported or was set to, %; for valves without a reading in the window. */
  readonly findOpening: (deviceId: number) => number | undefined
  /** What the previous round of the campaign learned; absent in the first round. */
  readonly memory?: RoundMemory | undefined
  /** When the readings were taken, Unix ms. */
  readonly at: number
  /** Settling time of the round, ms of clock time. */
  readonly settleMs: (flows: RoundPlan['flows']) => number
  /** Paths of the groups of a sequence. */
  readonly groupPaths: GroupPaths
  /** Ids of valves that do not move until their return has responded to their last move. */
  readonly settling?: ReadonlySet<number> | undefined
  /** Buildings whose rooms still respond to moves; only for targets of room temperatures. */
  readonly roomRest?: RoomRest | undefined
  /** Supply temperatures of the last day, for the expected change until the result is measured. */
  readonly supplyDay?: SupplyDay | undefined
  /** State for a slow trim; without it a slow trim moves nothing. */
  readonly trimBase?: TrimBase | undefined
}

/** Assumed opening of a valve without any report. It is not moved, but its flow affects the others. */
const ASSUMED_OPENING_PCT = 60
/** Valves whose return is nearer to its target than this are not trimmed, K. */
const TRIM_GATE_K = 0.4
/** Below this share of metered valves, flows are computed from temperatures. */
const METERED_SHARE = 0.9
/** Assumed outdoor temperature without a reading, °C: it does not affect return targets. */
const ASSUMED_OUTDOOR_C = 0
/**
 * Maximum distance of a reported opening from the commanded one for a stem estimate to stay valid, percentage points.
 */
const FOLLOWED_PCT = 1.5

/** Result of a plan, arrays by consumer. */
export interface RoundSketch {
  readonly reasons: readonly (MemberExclusion | undefined)[]
  readonly isMember: readonly boolean[]
  /** Consumers that the slot of a sequence makes colder on purpose. */
  readonly isLowered: readonly boolean[]
  /** Openings as last reported, %. */
  readonly openingPct: Float64Array
  readonly flows: RoundPlan['flows']
  readonly step: Step
  /** Range of possible outcomes for the members. */
  readonly confidence: PlanConfidence
  /** Openings to command, %, by consumer. */
  readonly orders: ReadonlyMap<number, number>
  /** Head to command. */
  readonly pump: PumpMove | undefined
  /** Why no head is commanded. */
  readonly pumpStays: PumpStay | undefined
  /** Whether a later round could move the pump further. */
  readonly isPumpLeft: boolean
  /** Why the plan must not be carried out. */
  readonly refusal: PlanRefusal | undefined
}

/** Estimated stem openings, 0..1: what the previous round estimated, unless the valve has moved since. */
function estimateOpenings({ memory }: RoundOrder, openingPct: Float64Array, isSame: boolean): Float64Array {
  return openingPct.map((shown, index) => {
    const commanded = isSame ? memory?.reportedPct[index] : undefined
    const estimate = memory?.openings[index]
    const hasFollowed = commanded !== undefined && Math.abs(commanded - shown) <= FOLLOWED_PCT
    return hasFollowed && estimate !== undefined ? estimate : shown / 100
  })
}

const isMetered = ({ meterKgS }: MeasuredLoop, reasons: RoundSketch['reasons']): boolean => {
  const reported = reasons.flatMap((reason, index) =>
    reason === 'absent' ? [] : [meterKgS[index] ?? Number.NaN],
  )
  return reported.length > 0 && reported.filter((flow) => flow >= 0).length >= METERED_SHARE * reported.length
}

/** Throws balance.not-measured, no-head, no-flow, no-rooms or no-weather if a plan would be a guess. */
function requireMeasured(
  { place, measured, mode, loop }: RoundOrder,
  sketch: Pick<RoundSketch, 'reasons' | 'isMember' | 'flows'>,
) {
  // Frost protection and room levels of a slot need the outdoor temperature.
  if (mode.kind === 'sequence' && Number.isNaN(measured.outdoorC))
    throw new AppError('balance.no-weather', { node: place.nodeName })
  const members = sketch.reasons.filter((_, index) => sketch.isMember[index])
  const movable = members.filter((reason) => reason === undefined).length
  const needsRooms = mode.kind === 'temperature' && mode.target === 'room'
  const hasRooms = measured.roomC.some((room) => !Number.isNaN(room))
  const hasFlow = sketch.flows === 'metered' || measured.totalKgS > 0
  if (movable === 0 || 2 * movable < members.length) {
    const missing = loop.consumers.filter((_, index) => sketch.isMember[index] && sketch.reasons[index])
    throw new AppError('balance.not-measured', {
      node: place.nodeName,
      measured: movable,
      valves: members.length,
      missing: nameUnmeasured(missing.map(({ nestaddr }) => nestaddr)),
    })
  }
  if (!(measured.headPa > 0)) throw new AppError('balance.no-head', { node: place.nodeName })
  if (!hasFlow) throw new AppError('balance.no-flow', { node: place.nodeName })
  if (needsRooms && !hasRooms) throw new AppError('balance.no-rooms', { node: place.nodeName })
}

/** Openings that each valve accepts now, 0..1, in whole per cent: within its limits and within one maximum move. */
function toLimits({ consumers }: Loop, openingPct: Float64Array): OpeningRange {
  const stepOf = (index: number): number => consumers[index]?.maxStepPct ?? 100
  return {
    min: openingPct.map(
      (shown, index) => Math.ceil(Math.max(consumers[index]?.minPct ?? 0, shown - stepOf(index))) / 100,
    ),
    max: openingPct.map(
      (shown, index) => Math.floor(Math.min(consumers[index]?.maxPct ?? 100, shown + stepOf(index))) / 100,
    ),
  }
}

/** Whether a valve accepts any command. A valve far below its minimum opening may not reach it in one move. */
const mayMove = ({ min, max }: OpeningRange, index: number): boolean => (min[index] ?? 0) <= (max[index] ?? 1)

/**
 * Commands of a plan's moves: the motor goes half of its dead travel further, within the limits of its valve.
 */
function toOrders(
  { plan }: Step,
  openings: Float64Array,
  openingPct: Float64Array,
  { min, max }: OpeningRange,
): Map<number, number> {
  const orders = plan.moves.flatMap(({ consumer, to }): [number, number][] => {
    const position = positionFor(to, openings[consumer] ?? 0, BACKLASH)
    const within = Math.min(max[consumer] ?? 1, Math.max(min[consumer] ?? 0, position))
    const order = Math.round(100 * within)
    return order === Math.round(openingPct[consumer] ?? 0) ? [] : [[consumer, order]]
  })
  return new Map(orders)
}

/** Plans a step. If its head equals the present one, plans again with a pump that stays, so that no head is commanded. */
function planWithPump(stepOrder: StepOrder, { loop, measured }: RoundOrder, { pump, stays }: PumpStart) {
  const step = planStep(stepOrder)
  if (pump.kind !== 'free') return { step, stepOrder, pump: undefined, pumpStays: stays }
  const move = toPumpMove(loop.station.deviceId, measured, step.plan.headPa)
  if (move) return { step, stepOrder, pump: move, pumpStays: undefined }
  const fixed = { ...stepOrder, pump: fixPump(measured, totalOf(step.flowKgS)) }
  return { step: planStep(fixed), stepOrder: fixed, pump: undefined, pumpStays: 'enough' as const }
}

/** The rule of the station, unless the balance leaves the pump alone. */
const pumpRuleOf = ({ mode, pump = NO_CONTROL }: RoundOrder): PumpRule =>
  mode.kind !== 'sequence' && mode.pump === 'keep' ? { kind: 'stays', why: 'chosen' } : pump

const totalOf = (flows: Float64Array): number => flows.reduce((sum, flow) => sum + flow, 0)

/** Readings for a step. They mark the buildings whose rooms still respond to moves. */
function toReadings({ loop, measured, roomRest }: RoundOrder): StepOrder['readings'] {
  const outdoorC = Number.isNaN(measured.outdoorC) ? ASSUMED_OUTDOOR_C : measured.outdoorC
  if (!roomRest) return { ...measured, outdoorC }
  const roomsMove = Uint8Array.from(loop.consumers, ({ deviceId }) => (roomRest.waitMs.has(deviceId) ? 1 : 0))
  return { ...measured, outdoorC, roomsMove }
}

/** Plans a round from readings. Throws balance.not-measured, balance.no-weather, balance.rooms-moving. */
export async function planRound(order: RoundOrder): Promise<RoundPlan> {
  const { place, mode, loop, records, measured, exclusions, memory } = order
  const { consumers } = loop
  const reportedOpeningPct = Float64Array.from(consumers, ({ deviceId }, index) => {
    const shown = measured.openingPct[index] ?? Number.NaN
    return Number.isNaN(shown) ? (order.findOpening(deviceId) ?? Number.NaN) : shown
  })
  const openingPct = reportedOpeningPct.map((reported) =>
    Number.isNaN(reported) ? ASSUMED_OPENING_PCT : reported,
  )
  const before = stepMemoryFor(memory, loop)
  const isWaiting = consumers.map(({ deviceId }) => isSettling(order, deviceId))
  const reasons = findReasons(loop, measured, mode, exclusions, before.broken, reportedOpeningPct).map(
    (reason, index) => (reason === 'not-measured' && isWaiting[index] ? undefined : reason),
  )
  const isInside = consumers.map((consumer) => isMember(consumer, place.nodePath))
  const flows = isMetered(measured, reasons) ? 'metered' : 'temperature-only'
  requireRest(order, { reasons, isMember: isInside })
  requireMeasured(order, { reasons, isMember: isInside, flows })
  const openings = estimateOpenings(order, openingPct, before === memory?.step)
  const totalKgS =
    measured.totalKgS > 0
      ? measured.totalKgS
      : measured.meterKgS.reduce((sum, flow) => sum + (Number.isNaN(flow) ? 0 : flow), 0)
  const trim = order.trimBase && toTrimMemory(order.trimBase, loop, openingPct)
  const accepted = toLimits(loop, openingPct)
  const limits = trim ? narrowToSpan(accepted, trim) : accepted
  const canMove = (index: number): boolean =>
    isInside[index] === true && !reasons[index] && mayMove(limits, index) && !isWaiting[index]
  const isTrim = memory !== undefined || isSlowTrim(mode)
  const start = startPump(pumpRuleOf(order), measured, { totalKgS, isTrim })
  const firstOrder: StepOrder = {
    records,
    openings,
    flows,
    memory: before,
    limits,
    trim,
    goal: toStepGoal(mode, loop, order.groupPaths),
    readings: toReadings(order),
    isFixed: Uint8Array.from(consumers, (_, index) => (canMove(index) ? 0 : 1)),
    gateK: memory === undefined ? 0 : TRIM_GATE_K,
    coldestRoomC: Float64Array.from(consumers, (consumer) => coldestRoom(consumer, measured.rooms)),
    pump: start.pump,
  }
  const { step, stepOrder, pump, pumpStays } = planWithPump(firstOrder, order, start)
  const rooms = listRooms(loop, measured, isInside)
  const counts = Uint8Array.from(isInside, (inside) => (inside ? 1 : 0))
  const confidence = await runInSlices(
    forecastInSteps(stepOrder, step, {
      counts,
      rooms,
      offsetK: returnOffsetsOf(loop),
      weather: order.supplyDay && findSupplyChange(order.supplyDay, order.settleMs(flows)),
    }),
  )
  const orders = toOrders(step, openings, openingPct, limits)
  const isLowered = findLowered(mode, loop, order.groupPaths)
  return toRoundPlan(order, {
    reasons,
    isMember: isInside,
    isLowered,
    openingPct,
    flows,
    step,
    confidence,
    orders,
    pump,
    pumpStays,
    isPumpLeft: isPumpLeft(start, pump, step.plan.scale),
    // The plan may change flows of the whole loop.
    refusal: refusePlan(stepOrder, step, confidence, { counts, rooms: listRooms(loop, measured) }),
  })
}
