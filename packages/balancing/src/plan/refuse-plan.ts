import { sum } from '@isotherm/kernel/statistics'
import { LEGAL_ROOM_C } from '../rooms/room-gate.ts'
import { NO_CHANGE } from './find-harmless.ts'
import { type EqualQuantity, quantityOf, spreadOfGoal } from './goal-spread.ts'
import { listMissing, type MissingRecord } from './missing-records.ts'
import { changeRooms, DRIFT_K, type MeasuredRoom, type PlanConfidence } from './plan-confidence.ts'
import { MIN_OPENING, type PlannedStep, type StepOrder } from './plan-step.ts'

/**
 * Why a plan is refused. `cold-rooms`: a measured room falls below the legal limit; the share 0..1 of rooms below it now,
 * and with those that the plan brings below it. `flow`: the total flow (kg/s) falls too much. Otherwise the quantity that the goal makes equal: its spread is no smaller than now, K
 * or a share of the target flows.
 */
export interface PlanRefusal {
  readonly reason: EqualQuantity | 'cold-rooms' | 'flow'
  readonly now: number
  readonly expected: number
  /** What would identify the loop better. */
  readonly missing: readonly MissingRecord[]
}

type Finding = Omit<PlanRefusal, 'missing'>

export interface RefusalOptions {
  /** 1 for a consumer that counts in the spread; all count without it. */
  readonly counts?: Uint8Array | undefined
  readonly rooms?: readonly MeasuredRoom[] | undefined
}

/**
 * Maximum loss of total flow, as a share. A balance only distributes the present flow. A balance of rooms at a fixed pump loses
 * 16 to 23 % where it succeeds (`bench foreign`). A lower head that keeps the flow is no loss.
 */
export const MAX_FLOW_LOSS = 0.25
/** Largest distance of an opening from a limit at which it stops there: one step of a motor. */
const AT_LIMIT = 0.01

/** Number of valves that the plan leaves at a limit of their own, inside of the usual range. */
function countLimited({ limits, isFixed }: StepOrder, { plan }: PlannedStep): number {
  if (!limits) return 0
  return plan.openings.filter((opening, i) => {
    const [min, max] = [limits.min[i] ?? 0, limits.max[i] ?? 1]
    const isAtLeast = min > MIN_OPENING && opening <= min + AT_LIMIT
    return isFixed[i] !== 1 && (isAtLeast || (max < 1 && opening >= max - AT_LIMIT))
  }).length
}

/** Whether the goal distributes the present flow; others state how much heat or flow they want. */
const keepsTotal = ({ goal }: StepOrder): boolean =>
  goal.kind === 'temperature' || (goal.kind === 'flow' && goal.flowKgHM2 === undefined)

/**
 * A legal room that the plan brings below the legal limit. A room that becomes warm enough does not make up for it. A flow
 * that changes by less than a meter shows is within the error of the model, and so is the change of its room.
 */
function findColder({ before, expected }: PlannedStep, { rooms = [] }: RefusalOptions): Finding | undefined {
  const changed = changeRooms(rooms, expected.roomC, before.roomC)
  const predicted = rooms.flatMap(({ consumer, roomC }, index) => {
    const laterC = changed[index] ?? Number.NaN
    if (Number.isNaN(laterC)) return []
    const loses = (expected.flowKgS[consumer] ?? 0) < (1 - NO_CHANGE) * (before.flowKgS[consumer] ?? 0)
    return { isCold: roomC < LEGAL_ROOM_C, becomesCold: loses && laterC < LEGAL_ROOM_C }
  })
  const cooled = predicted.filter(({ isCold, becomesCold }) => becomesCold && !isCold)
  if (cooled.length === 0) return undefined
  const cold = predicted.filter(({ isCold }) => isCold)
  return {
    reason: 'cold-rooms',
    now: cold.length / predicted.length,
    expected: (cold.length + cooled.length) / predicted.length,
  }
}

/**
 * The total flow that a goal asks for, kg/s: the present one, or less if the goal states less heat or flow for each m²
 * and all areas are recorded. With estimated areas its total is a guess, so the present flow counts.
 */
function wantedTotal(order: StepOrder, { before, targets }: PlannedStep): number {
  const now = sum(before.flowKgS)
  const isGuessed = order.records.assumed?.areas.includes(1) === true
  return keepsTotal(order) || isGuessed ? now : Math.min(now, sum(targets.flowKgS))
}

function findFlowLoss(order: StepOrder, step: PlannedStep): Finding | undefined {
  const [now, later] = [sum(step.before.flowKgS), sum(step.expected.flowKgS)]
  const wanted = wantedTotal(order, step)
  return later < (1 - MAX_FLOW_LOSS) * wanted ? { reason: 'flow', now, expected: later } : undefined
}

/**
 * A forecast spread includes the drift of returns between two measurements. The present spread does not, so the drift is
 * added to it before the two are compared.
 */
function findSpread(
  order: StepOrder,
  { flowKgS, before, targets }: PlannedStep,
  { medianGoalSpread }: PlanConfidence,
  { counts }: RefusalOptions,
): Finding | undefined {
  const reason = quantityOf(order.goal)
  const now = spreadOfGoal(
    { ...order, targetKgS: targets.flowKgS, counts },
    { flowKgS, returnC: order.readings.returnC, roomC: before.roomC },
  )
  const isNoisy = reason === 'return' || reason === 'mean'
  const comparable = isNoisy ? Math.hypot(now, DRIFT_K) : now
  if (medianGoalSpread === undefined || !(medianGoalSpread >= comparable)) return undefined
  return { reason, now, expected: medianGoalSpread }
}

/**
 * The reason to refuse a plan, from its own forecast: if the plan itself expects a worse state than now, the loop is not
 * identified. Undefined if the plan may be carried out, and for a plan without moves. A slot of a sequence cools rooms and
 * lowers flows on purpose, so it is never refused. Worked examples: refuse-plan.test.ts.
 */
export function refusePlan(
  order: StepOrder,
  step: PlannedStep,
  confidence: PlanConfidence,
  options: RefusalOptions = {},
): PlanRefusal | undefined {
  // A pump that is free sets another head, which moves all flows.
  if (step.plan.moves.length === 0 && order.pump.kind !== 'free') return undefined
  if (order.goal.kind === 'sequence') return undefined
  const finding =
    findColder(step, options) ?? findFlowLoss(order, step) ?? findSpread(order, step, confidence, options)
  const limited = countLimited(order, step)
  return finding && { ...finding, missing: listMissing(order.records, order.readings, order.flows, limited) }
}
