import { type InvertRequest, invert } from '../invert/invert.ts'
import { createRingSolver, moveTo } from '../invert/ring-mains.ts'
import { type LoopFlows, type PumpFreedom, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan, ValveMove } from '../moves/fewest-moves.ts'
import { type OpeningRange, planMovesWithin } from '../moves/moves-within.ts'
import { planTests } from '../moves/test-moves.ts'
import { gateTrim } from '../moves/verify.ts'
import { planWaves, type WavePlan } from '../moves/wave-plan.ts'
import { type ProportionalOrder, planProportional } from '../proportional/proportional-plan.ts'
import { planSlowTrim, type TrimMemory } from '../proportional/slow-trim.ts'
import type { FlowKnowledge, LoopReadings, LoopRecords } from '../records/loop-records.ts'
import { findMinFlows } from '../rooms/min-flows.ts'
import { ASSUMED_ROOM_C, listObjections, type RoomObjection } from '../rooms/room-gate.ts'
import type { Targets } from '../rooms/targets.ts'
import { restAtFlow } from '../rooms/thermal-model.ts'
import { findStepFlows } from '../step/step-flows.ts'
import { remember, type StepMemory } from '../step/step-memory.ts'
import { modelOf } from '../step/step-model.ts'
import { computeStepTargets, roomsOf, type StepGoal, thermalOf } from '../step/step-targets.ts'
import {
  type Decision,
  doubtOf,
  findFloors,
  findHarmless,
  isHarmless,
  listCold,
  listShort,
  type SafeLimits,
} from './find-harmless.ts'

/** Input of one step of a campaign; arrays by consumer. */
export interface StepOrder {
  readonly records: LoopRecords
  readonly readings: LoopReadings
  /** Estimated stem openings, 0..1. */
  readonly openings: Float64Array
  readonly flows: FlowKnowledge
  readonly goal: StepGoal
  readonly memory: StepMemory
  /** 1 for a valve that is not moved and keeps its flow: held, silent, or part of another balance. */
  readonly isFixed: Uint8Array
  /** Range of openings of each valve where it is narrower than 10 to 100 %. */
  readonly limits?: OpeningRange | undefined
  /** A valve does not move if its return is nearer to the target than this, K; 0 for no gate. */
  readonly gateK: number
  /** The coldest room of each consumer, °C; without it the mean of its rooms. */
  readonly coldestRoomC?: Float64Array | undefined
  readonly pump: PumpFreedom
  /** State of a slow trim; without it a slow trim moves nothing. */
  readonly trim?: TrimMemory | undefined
}

/** Operating point of a loop: solved flows, and steady temperatures at these flows; NaN if not known. */
export interface StepPoint {
  readonly flowKgS: Float64Array
  readonly headPa: number
  readonly returnC: Float64Array
  /** Mean room temperature of each consumer, °C. */
  readonly roomC: Float64Array
}

/** Result of `planStep`; arrays by consumer. */
export interface PlannedStep {
  readonly targets: Targets
  readonly model: LoopModel
  /** The memory including the present snapshot. */
  readonly memory: StepMemory
  /** Reconciled present flows. */
  readonly flowKgS: Float64Array
  /** If `gateK` is above 0, its moves include tests of valves that have not moved yet. */
  readonly plan: MovePlan
  readonly waves: WavePlan
  /** Consumers that keep their present flow because of their rooms, although their target is lower; with the reason. */
  readonly objected: ReadonlyMap<number, RoomObjection>
  /** Flow that the rooms of each consumer need at least, as a share of its present flow, 0..1; 0 if nothing is known. */
  readonly minShare: Float64Array
  /** State of a slow trim for the next step. */
  readonly trim?: Pick<TrimMemory, 'base' | 'integralKd'> | undefined
  readonly before: StepPoint
  readonly expected: StepPoint
  /**
   * Advised head, Pa: the valve of the worst circuit is 95 % open if all working valves are balanced for it.
   * `expected` uses the present pump.
   */
  readonly advisedHeadPa: number
}

/**
 * Allowed shortage of flow at the far ends of a loop, as a share of the target. It saves pump power and changes their
 * returns by 0.2 K.
 */
export const SHORT_RMS = 0.045
/** Minimum opening of every valve. */
export const MIN_OPENING = 0.1
/** Opening of the index valve, and the share of consumers that the head must serve. */
const INDEX = { indexOpening: 0.95, servedShare: 0.97 } as const
/** Settings of the search for few moves (fewest-moves.ts). */
const SEARCH = { step: 0.01, dropShare: 0.03, allowedRms: 0.02, trustSpan: 0.4 } as const
/** Dead band of the proportional loop, K. */
const DEAD_BAND_K = 0.5
/** Change of ln ṁ in the test of a valve: just above the noise of good meters. More would disturb balanced returns. */
const TEST_CHANGE = 0.028
const CLOSING_WAVES = 3
/** Maximum of an advised head, relative to the present one. */
const MAX_ADVICE = 1.3

function rangeOf({ openings, limits }: StepOrder): OpeningRange {
  return {
    min: openings.map((_, i) => Math.max(MIN_OPENING, limits?.min[i] ?? 0)),
    max: openings.map((_, i) => limits?.max[i] ?? 1),
  }
}

/**
 * 1 for valves that are not moved in this step: fixed ones, broken ones, and those nearer to their targets than `gateK`.
 */
function findUnmoved({ readings, goal, memory, isFixed, gateK }: StepOrder, targets: Targets): Uint8Array {
  const stays = isFixed.slice()
  if (gateK > 0 && goal.kind === 'temperature' && goal.target === 'return') {
    const targetC = readings.returnC.map((_, i) => targets.common + (goal.offsetK?.[i] ?? 0))
    const gated = new Set(gateTrim(readings.returnC, targetC, gateK))
    for (const i of stays.keys()) if (!gated.has(i)) stays[i] = 1
  }
  for (const i of memory.broken) stays[i] = 1
  return stays
}

/** Consumers that must not lose flow because of their rooms: none in a sequence, which cools rooms on purpose. */
const objectionsOf = ({ readings, goal, coldestRoomC = readings.roomC }: StepOrder) =>
  goal.kind === 'sequence'
    ? new Map<number, RoomObjection>()
    : listObjections({ ...readings, coldestC: coldestRoomC })

/**
 * Adds a test move for every unproven valve that the plan does not move. While rooms are cold, tests only close: a
 * valve that opens takes flow from them. A test closes only a consumer that can spare its share: otherwise it would keep all
 * others from being tested.
 */
function tryUnproven(order: StepOrder, model: LoopModel, decision: Decision, safe: SafeLimits): Decision {
  const { memory, isFixed } = order
  const { plan, targets } = decision
  const { openings, flows } = plan
  const moved = plan.moves.map(({ consumer }) => consumer)
  const known = new Set([
    ...memory.proven,
    ...memory.broken,
    ...memory.suspected,
    ...moved,
    ...safe.objections.keys(),
  ])
  const unproven = [...targets.flowKgS.keys()].filter((unit) => !known.has(unit) && isFixed[unit] !== 1)
  const own = rangeOf(order)
  const closed = own.max.map((value, i) => Math.min(value, openings[i] ?? value))
  const range = listCold(safe.objections).size > 0 ? { ...own, max: closed } : own
  const tested = { openings, flows, targetKgS: targets.flowKgS, range, step: SEARCH.step }
  const withTests = (tests: readonly ValveMove[]): Decision => {
    const after = openings.slice()
    for (const { consumer, to } of tests) after[consumer] = to
    return { ...decision, plan: { ...plan, openings: after, moves: [...plan.moves, ...tests] } }
  }
  const tests = planTests(model, { ...tested, change: TEST_CHANGE }, unproven)
  const short = new Set(listShort(withTests(tests).plan, safe.minKgS, safe))
  const whole = withTests(tests.filter(({ consumer }) => !short.has(consumer)))
  return isHarmless(order, whole, safe) ? whole : decision
}

/** Returns the function from solved flows to an operating point. Consumers without readings have no temperatures. */
function toPoints({ records, readings }: StepOrder, flowKgS: Float64Array, sensedC: Float64Array) {
  const isSensed = sensedC.some((room) => !Number.isNaN(room))
  const rooms = isSensed ? sensedC : new Float64Array(flowKgS.length).fill(ASSUMED_ROOM_C)
  const thermal = thermalOf(records, readings, flowKgS, rooms)
  return ({ flowKgS: solvedKgS, headPa }: LoopFlows): StepPoint => {
    const rests = Array.from(solvedKgS, (flow, i) =>
      Number.isNaN(readings.returnC[i] ?? Number.NaN) ? undefined : restAtFlow(thermal, i, flow),
    )
    return {
      flowKgS: solvedKgS,
      headPa,
      returnC: Float64Array.from(rests, (rest) => rest?.returnC ?? Number.NaN),
      roomC: Float64Array.from(rests, (rest) => (isSensed ? (rest?.roomC ?? Number.NaN) : Number.NaN)),
    }
  }
}

const methodOf = (goal: StepGoal) =>
  goal.kind === 'temperature' && goal.target === 'return' ? goal.method : undefined

const toRequest = ({ openings, isFixed, gateK, pump }: StepOrder, targets: Targets): InvertRequest => ({
  targetKgS: targets.flowKgS,
  openings,
  isFixed,
  ...INDEX,
  minOpening: MIN_OPENING,
  shortRms: SHORT_RMS,
  pump,
  shortage: gateK > 0 ? 'at-the-end' : 'shared',
})

/** Moves all valves at once, by the model of the loop. */
function decideTogether(order: StepOrder, model: LoopModel, targets: Targets, safe: SafeLimits): Decision {
  const { openings, gateK, flows } = order
  const { objections } = safe
  const stays = findUnmoved(order, targets)
  const objected = new Map(
    [...objections].filter(([i]) => order.isFixed[i] !== 1 && targets.limited.get(i) === 'min-flow'),
  )
  const own = rangeOf(order)
  const min = own.min.map((value, i) =>
    objections.has(i) ? Math.max(value, Math.min(openings[i] ?? 0, own.max[i] ?? 1)) : value,
  )
  const request = { ...toRequest(order, targets), isFixed: stays }
  const limits = { ...SEARCH, visitedLow: openings, visitedHigh: openings }
  const decision = findHarmless(order, { ...own, min }, safe, ({ pump, range }) => ({
    targets,
    objected,
    plan: planMovesWithin(model, { ...request, pump }, limits, range),
  }))
  if (gateK === 0 || flows !== 'metered') return decision
  return tryUnproven(order, model, decision, safe)
}

/** Moves each valve by its own return towards the mean. The final target flows come from the model. */
function decideEach(order: StepOrder, model: LoopModel, stepTargets: Targets, safe: SafeLimits): Decision {
  const { objections } = safe
  const { records, readings, openings, goal, memory, gateK, trim } = order
  const isSlow = methodOf(goal) === 'slow-trim'
  const isFixed = isSlow && !trim ? new Uint8Array(openings.length).fill(1) : order.isFixed.slice()
  for (const i of memory.broken) isFixed[i] = 1
  const own = {
    readings,
    openings,
    isFixed,
    areaM2: records.areaM2,
    exponent: records.exponent,
    offsetK: goal.kind === 'temperature' ? goal.offsetK : undefined,
    objections,
  }
  const towards = (common: number): Targets => ({ ...stepTargets, common, limited: new Map() })
  const from = trim ?? { base: openings, integralKd: new Float64Array(openings.length), days: 0 }
  const decide = (limits: Pick<ProportionalOrder, 'pump' | 'range'>): Decision => {
    if (isSlow) {
      const slow = planSlowTrim(model, { ...own, ...limits, trim: from })
      const state = trim && { base: trim.base, integralKd: slow.integralKd }
      return { targets: towards(slow.targetC), objected: slow.objected, plan: slow.plan, trim: state }
    }
    const loop = planProportional(model, { ...own, ...limits, deadBandK: Math.max(DEAD_BAND_K, gateK) })
    return { targets: towards(loop.targetC), objected: loop.objected, plan: loop.plan }
  }
  return findHarmless(order, rangeOf(order), safe, decide)
}

/**
 * One step of a campaign: reconcile, identify, compute targets, invert with few moves, order the moves in waves,
 * predict. Pure: every array of the order has one entry for each circuit of `records.loop`. Worked examples:
 * plan-step.test.ts.
 */
export function planStep(order: StepOrder): PlannedStep {
  const { records, readings, openings, flows, goal, isFixed, pump } = order
  const flowKgS = findStepFlows(records, readings, flows)
  const roomC = roomsOf(records, readings, flowKgS)
  const memory = remember(order.memory, { headPa: readings.headPa, flowKgS, openings })
  const presentModel = modelOf(records, memory, flows)
  const thermal = thermalOf(records, readings, flowKgS, roomC)
  const objections = objectionsOf(order)
  const estimatedC = goal.kind === 'temperature' && goal.target === 'room' ? roomC : undefined
  const minKgS =
    goal.kind === 'sequence'
      ? undefined
      : findMinFlows(
          thermal,
          flowKgS,
          { roomC: readings.roomC, coldestC: order.coldestRoomC ?? readings.roomC },
          objections,
          { estimatedC },
        )
  const stepTargets = computeStepTargets({ records, readings, flowKgS, roomC, goal, isFixed, minKgS })
  const isEach = methodOf(goal) !== undefined
  // A valve controlled by its own return stays near its present flow.
  const model = isEach ? presentModel : moveTo(records, presentModel, flowKgS, stepTargets.flowKgS)
  const solveRings = createRingSolver(records, presentModel, flowKgS)
  const solve: SafeLimits['solve'] = (at, headPa) => solveRings(at, sourceAt(pump, headPa))
  const modelled = solve(openings, readings.headPa)
  const present = { nowKgS: flowKgS, modelKgS: modelled.flowKgS }
  const safe: SafeLimits = {
    ...findFloors(order, thermal, present, objections, estimatedC),
    objections,
    solve,
    model: presentModel,
    doubt: doubtOf(records, flows),
  }
  const { targets, objected, plan, trim } = isEach
    ? decideEach(order, model, stepTargets, safe)
    : decideTogether(order, model, stepTargets, safe)
  const waves = planWaves(model, {
    openings,
    headPa: readings.headPa,
    meterKgS: readings.meterKgS,
    moves: plan.moves,
    finalHeadPa: plan.headPa,
    pump,
    closingWaves: CLOSING_WAVES,
    cold: listCold(objections),
    doubt: safe.doubt,
    solve,
  })
  const toPoint = toPoints(order, flowKgS, roomC)
  return {
    targets,
    model,
    memory,
    flowKgS,
    plan,
    waves,
    objected,
    minShare: flowKgS.map((flow, i) => (flow > 0 ? (minKgS?.[i] ?? 0) / flow : 0)),
    trim,
    before: toPoint(modelled),
    expected: toPoint(solve(plan.openings, plan.headPa)),
    advisedHeadPa: adviseHead(model, toRequest(order, stepTargets), order),
  }
}

/** Head that the targets need if every working valve is free. */
function adviseHead(model: LoopModel, request: InvertRequest, { memory, readings }: StepOrder): number {
  const isFixed = new Uint8Array(request.openings.length)
  for (const i of memory.broken) isFixed[i] = 1
  const pump = { kind: 'free', maxHeadPa: MAX_ADVICE * readings.headPa } as const
  return invert(model, { ...request, isFixed, pump, shortRms: 0, shortage: 'shared' }).headPa
}
