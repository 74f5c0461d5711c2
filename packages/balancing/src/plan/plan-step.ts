import { type InvertRequest, invert } from '../invert/invert.ts'
import { moveTo } from '../invert/ring-mains.ts'
import { type LoopFlows, type PumpFreedom, solveLoop, sourceAt } from '../loop/loop-flows.ts'
import type { LoopModel } from '../loop/loop-model.ts'
import type { MovePlan } from '../moves/fewest-moves.ts'
import { type OpeningRange, planMovesWithin } from '../moves/moves-within.ts'
import { planTests } from '../moves/test-moves.ts'
import { gateTrim } from '../moves/verify.ts'
import { planWaves, type WavePlan } from '../moves/wave-plan.ts'
import { planProportional } from '../proportional/proportional-plan.ts'
import { planSlowTrim, type TrimMemory } from '../proportional/slow-trim.ts'
import type { FlowKnowledge, LoopRecords, SeenLoop } from '../records/loop-records.ts'
import { listObjections, type RoomObjection } from '../rooms/room-gate.ts'
import type { Targets } from '../rooms/targets.ts'
import { restAtFlow } from '../rooms/thermal-model.ts'
import { aimStep, roomsOf, type StepGoal, thermalOf } from '../step/step-aims.ts'
import { ASSUMED_ROOM_C, findStepFlows } from '../step/step-flows.ts'
import { remember, type StepMemory } from '../step/step-memory.ts'
import { modelOf } from '../step/step-model.ts'

/** What one step of a campaign starts from; arrays by consumer. */
export interface StepOrder {
  readonly records: LoopRecords
  readonly seen: SeenLoop
  /** Of the stems as they are believed, 0..1. */
  readonly openings: Float64Array
  readonly flows: FlowKnowledge
  readonly goal: StepGoal
  readonly memory: StepMemory
  /** 1 for a valve that stays, and whose consumer is to have the flow it has: held, not heard, or of another balance. */
  readonly isFixed: Uint8Array
  /** Between which valves may be told to go, where that is narrower than 10 to 100 %. */
  readonly limits?: OpeningRange | undefined
  /** Valves whose return is nearer to its target than this stay, K; 0 moves whoever needs it. */
  readonly gateK: number
  /** The coldest room behind each consumer, °C; without it the mean of its rooms. */
  readonly coldestRoomC?: Float64Array | undefined
  readonly pump: PumpFreedom
  /** What a slow trim goes on from; without it nothing is moved by one. */
  readonly trim?: TrimMemory | undefined
}

/** Where a loop stands: solved flows, and temperatures at rest with them; NaN where those are not known. */
export interface StepPoint {
  readonly flowKgS: Float64Array
  readonly headPa: number
  readonly returnC: Float64Array
  /** Mean of the rooms behind each consumer. */
  readonly roomC: Float64Array
}

export interface PlannedStep {
  readonly targets: Targets
  readonly model: LoopModel
  /** The memory with what was seen now. */
  readonly memory: StepMemory
  /** Reconciled flows now. */
  readonly flowKgS: Float64Array
  /** Its moves hold tests of valves that nobody has seen follow, in a gated round. */
  readonly plan: MovePlan
  readonly waves: WavePlan
  /** Who would get less flow in a gated round, and is left as it is for the sake of its rooms. */
  readonly kept: ReadonlyMap<number, RoomObjection>
  /** Of a slow trim: what its next step goes on from. */
  readonly trim?: Pick<TrimMemory, 'base' | 'integralKd'> | undefined
  readonly before: StepPoint
  readonly expected: StepPoint
  /**
   * Head at which the valve of the worst loop would stand 95 % open, Pa, were the loop balanced for it with every valve that
   * works; `expected` is with the pump as it is.
   */
  readonly advisedHeadPa: number
}

/** What the far ends may be short of their flow by for the sake of the pump: a fifth of a kelvin in their return. */
export const SHORT_RMS = 0.045
const LEAST_OPENING = 0.1
/** How far the index valve is open, and the share of consumers that the head must serve. */
const INDEX = { indexOpening: 0.95, servedShare: 0.97 } as const
const LIMITS = { step: 0.01, dropShare: 0.03, allowedRms: 0.02, trustSpan: 0.4 } as const
/** Returns nearer to their mean than this are left by the proportional loop, K. */
const DEAD_BAND_K = 0.5
/** Change of ln ṁ by which an untried valve is tested. */
const TEST_CHANGE = 0.04
const CLOSING_WAVES = 3
/** How much more head than now is thought of when a head is advised. */
const MOST_ADVICE = 1.3

function rangeOf({ openings, limits }: StepOrder): OpeningRange {
  return {
    least: openings.map((_, i) => Math.max(LEAST_OPENING, limits?.least[i] ?? 0)),
    most: openings.map((_, i) => limits?.most[i] ?? 1),
  }
}

/** 1 for who stays in this step: who must, who is broken, and in a gated round who is near enough to its target. */
function findStaying({ seen, goal, memory, isFixed, gateK }: StepOrder, targets: Targets): Uint8Array {
  const stays = isFixed.slice()
  if (gateK > 0 && goal.kind === 'temperature' && goal.target === 'return') {
    const wished = seen.returnC.map((_, i) => targets.common + (goal.offsetK?.[i] ?? 0))
    const gated = new Set(gateTrim(seen.returnC, wished, gateK))
    for (const i of stays.keys()) if (!gated.has(i)) stays[i] = 1
  }
  for (const i of memory.broken) stays[i] = 1
  return stays
}

/** Who would get less in a gated round though its rooms speak against it. A slot of a sequence makes rooms cold on purpose. */
function findKept(
  { seen, goal, gateK, coldestRoomC = seen.roomC }: StepOrder,
  targets: Targets,
  flowKgS: Float64Array,
  stays: Uint8Array,
): ReadonlyMap<number, RoomObjection> {
  if (gateK === 0 || goal.kind === 'sequence') return new Map()
  const isLess = (i: number): boolean => (targets.flowKgS[i] ?? 0) < (flowKgS[i] ?? 0)
  const objections = listObjections({ roomC: seen.roomC, coldestC: coldestRoomC })
  return new Map([...objections].filter(([i]) => stays[i] !== 1 && isLess(i)))
}

/** The plan with a test for every valve that has not been seen to follow and that the plan leaves alone. */
function tryUnproven(
  order: StepOrder,
  model: LoopModel,
  plan: MovePlan,
  { flowKgS: targetKgS }: Targets,
  kept: PlannedStep['kept'],
): MovePlan {
  const { memory, isFixed } = order
  const moved = plan.moves.map(({ consumer }) => consumer)
  const known = new Set([...memory.proven, ...memory.broken, ...memory.suspected, ...moved, ...kept.keys()])
  const unproven = [...targetKgS.keys()].filter((unit) => !known.has(unit) && isFixed[unit] !== 1)
  const { openings, flows } = plan
  const tested = { openings, flows, targetKgS, range: rangeOf(order), step: LIMITS.step }
  const tests = planTests(model, { ...tested, change: TEST_CHANGE }, unproven)
  const after = openings.slice()
  for (const { consumer, to } of tests) after[consumer] = to
  return { ...plan, openings: after, moves: [...plan.moves, ...tests] }
}

/** Temperatures at solved flows, for those whose own are known now. */
function toPoints({ records, seen }: StepOrder, flowKgS: Float64Array, sensedC: Float64Array) {
  const isSensed = sensedC.some((room) => !Number.isNaN(room))
  const rooms = isSensed ? sensedC : new Float64Array(flowKgS.length).fill(ASSUMED_ROOM_C)
  const thermal = thermalOf(records, seen, flowKgS, rooms)
  return ({ flowKgS: solvedKgS, headPa }: LoopFlows): StepPoint => {
    const rests = Array.from(solvedKgS, (flow, i) =>
      Number.isNaN(seen.returnC[i] ?? Number.NaN) ? undefined : restAtFlow(thermal, i, flow),
    )
    return {
      flowKgS: solvedKgS,
      headPa,
      returnC: Float64Array.from(rests, (rest) => rest?.returnC ?? Number.NaN),
      roomC: Float64Array.from(rests, (rest) => (isSensed ? (rest?.roomC ?? Number.NaN) : Number.NaN)),
    }
  }
}

type Decision = Pick<PlannedStep, 'targets' | 'kept' | 'plan' | 'trim'>

const methodOf = (goal: StepGoal) =>
  goal.kind === 'temperature' && goal.target === 'return' ? goal.method : undefined

const toRequest = ({ openings, isFixed, gateK, pump }: StepOrder, targets: Targets): InvertRequest => ({
  targetKgS: targets.flowKgS,
  openings,
  isFixed,
  ...INDEX,
  leastOpening: LEAST_OPENING,
  shortRms: SHORT_RMS,
  pump,
  shortage: gateK > 0 ? 'at-the-end' : 'shared',
})

/** All valves at once, by the model of the loop. */
function decideTogether(
  order: StepOrder,
  model: LoopModel,
  targets: Targets,
  flowKgS: Float64Array,
): Decision {
  const { openings, gateK, flows } = order
  const stays = findStaying(order, targets)
  const kept = findKept(order, targets, flowKgS, stays)
  for (const i of kept.keys()) stays[i] = 1
  const least = planMovesWithin(
    model,
    { ...toRequest(order, targets), isFixed: stays },
    { ...LIMITS, visitedLow: openings, visitedHigh: openings },
    rangeOf(order),
  )
  const plan = gateK > 0 && flows === 'metered' ? tryUnproven(order, model, least, targets, kept) : least
  return { targets, kept, plan }
}

/** Each valve by its own return, which is brought nearer to the mean; the flows they should come to in the end are the model's. */
function decideEach(order: StepOrder, model: LoopModel, aims: Targets): Decision {
  const { records, seen, openings, goal, memory, gateK, pump, coldestRoomC = seen.roomC } = order
  const isFixed = order.isFixed.slice()
  for (const i of memory.broken) isFixed[i] = 1
  const own = {
    seen,
    openings,
    isFixed,
    pump,
    range: rangeOf(order),
    areaM2: records.areaM2,
    exponent: records.exponent,
    offsetK: goal.kind === 'temperature' ? goal.offsetK : undefined,
    objections: listObjections({ roomC: seen.roomC, coldestC: coldestRoomC }),
  }
  const towards = (common: number): Targets => ({ ...aims, common, limited: new Map() })
  if (methodOf(goal) === 'slow-trim') {
    const { trim } = order
    if (!trim) isFixed.fill(1)
    const from = trim ?? { base: openings, integralKd: new Float64Array(openings.length), days: 0 }
    const { plan, targetC, kept, integralKd } = planSlowTrim(model, { ...own, trim: from })
    return { targets: towards(targetC), kept, plan, trim: trim && { base: trim.base, integralKd } }
  }
  const { plan, targetC, kept } = planProportional(model, {
    ...own,
    deadBandK: Math.max(DEAD_BAND_K, gateK),
  })
  return { targets: towards(targetC), kept, plan }
}

/**
 * One step of a campaign, from what is seen to what is to be done: reconcile, identify, aim, invert with few moves, order
 * them in waves, predict. Moves nothing and keeps nothing; every array of the order has one place for each circuit of
 * `records.loop`. Worked examples: plan-step.test.ts.
 */
export function planStep(order: StepOrder): PlannedStep {
  const { records, seen, openings, flows, goal, isFixed, pump } = order
  const flowKgS = findStepFlows(records, seen, flows)
  const roomC = roomsOf(records, seen, flowKgS)
  const memory = remember(order.memory, { headPa: seen.headPa, flowKgS, openings })
  const seenModel = modelOf(records, memory, flows)
  const aims = aimStep({ records, seen, flowKgS, roomC, goal, isFixed })
  const isEach = methodOf(goal) !== undefined
  // Whoever goes by its own return stays near the flow there is.
  const model = isEach ? seenModel : moveTo(records, seenModel, flowKgS, aims.flowKgS)
  const { targets, kept, plan, trim } = isEach
    ? decideEach(order, model, aims)
    : decideTogether(order, model, aims, flowKgS)
  const waves = planWaves(model, {
    openings,
    headPa: seen.headPa,
    moves: plan.moves,
    finalHeadPa: plan.headPa,
    pump,
    closingWaves: CLOSING_WAVES,
  })
  const toPoint = toPoints(order, flowKgS, roomC)
  return {
    targets,
    model,
    memory,
    flowKgS,
    plan,
    waves,
    kept,
    trim,
    before: toPoint(solveLoop(seenModel, openings, sourceAt(pump, seen.headPa))),
    expected: toPoint(solveLoop(model, plan.openings, sourceAt(pump, plan.headPa))),
    advisedHeadPa: adviseHead(model, toRequest(order, aims), order),
  }
}

/** Head that the targets need, with every valve free that works. */
function adviseHead(model: LoopModel, request: InvertRequest, { memory, seen }: StepOrder): number {
  const isFixed = new Uint8Array(request.openings.length)
  for (const i of memory.broken) isFixed[i] = 1
  const pump = { kind: 'free', mostHeadPa: MOST_ADVICE * seen.headPa } as const
  return invert(model, { ...request, isFixed, pump, shortRms: 0, shortage: 'shared' }).headPa
}
