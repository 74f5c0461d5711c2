import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { createRandom, type Random, sampleNormal } from '@isotherm/kernel/random'
import { runToEnd } from '@isotherm/kernel/run-to-end'
import { quantile, shareWhere, weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import { logMeanDifference, returnTemperature } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { ASSUMED_ROOM_C, LEGAL_ROOM_C } from '../rooms/room-gate.ts'
import { restAtFlow } from '../rooms/thermal-model.ts'
import { type CurveSampler, createCurveSampler } from '../step/drawn-curves.ts'
import { createLooseSampler } from '../step/loose-sensors.ts'
import { sampleLoop, sampleStem } from '../step/possible-loops.ts'
import { roomsOf, thermalOf } from '../step/step-targets.ts'
import { createErrorSampler, USUAL_CHANGE, type WeatherChange } from './forecast-errors.ts'
import { spreadOfGoal } from './goal-spread.ts'
import type { PlannedStep, StepOrder } from './plan-step.ts'
import { highestOf, lowestOf } from './range-of-sets.ts'

/** Range of a plan's outcomes; arrays by consumer, P10 and P90, NaN if a return is not known now. */
export interface PlanConfidence {
  /**
   * Returns as the thermometers will show them, °C. The range includes the shift of all returns by weather and supply,
   * and the expected value of the step, which is for steady rooms in the weather of the plan.
   */
  readonly returnLowC: Float64Array
  readonly returnHighC: Float64Array
  /** Flows as the meters will show them, kg/s. */
  readonly flowLowKgS: Float64Array
  readonly flowHighKgS: Float64Array
  /**
   * Area-weighted spread of the true returns minus their offsets, K: P10, median and P90 of the samples.
   */
  readonly bestSigmaReturnK: number | undefined
  readonly medianSigmaReturnK: number | undefined
  readonly worstSigmaReturnK: number | undefined
  /** Distance from the goal that half of all samples do not exceed, K or a share of the target flows (goal-spread.ts). */
  readonly medianGoalSpread: number | undefined
  /** Share 0..1 of true returns, minus their offsets, within 1 K of their mean: P90, median and P10 of the samples. */
  readonly bestWithinOneK: number | undefined
  readonly medianWithinOneK: number | undefined
  readonly worstWithinOneK: number | undefined
  /** Mean steady room temperature that nine of ten samples reach, °C; NaN without a measured room. */
  readonly roomLowC: Float64Array
  /** Share 0..1 of the given rooms below 18 °C when steady, which nine of ten samples do not exceed. */
  readonly worstUnder18: number | undefined
}

/** A measured room, and the index of its consumer. */
export interface MeasuredRoom {
  readonly consumer: number
  readonly roomC: number
}

export interface ConfidenceOptions {
  /** 1 for a consumer that counts in the spread; all count without it. */
  readonly counts?: Uint8Array | undefined
  /** Intended offset of each return from the common target, K; zero without it. */
  readonly offsetK?: Float64Array | undefined
  /** Measured rooms, °C, and their consumers. */
  readonly rooms?: readonly MeasuredRoom[] | undefined
  /** Weather until the result is measured; without it the usual one. */
  readonly weather?: WeatherChange | undefined
  readonly seed?: number
}

/** Number of sampled loops. The spread of many valves varies less between samples. */
const SAMPLES = { few: 40, many: 20 } as const
const MANY_VALVES = 100
/**
 * Difference of a consumer's return between two windows from household habits, sun, wind and measurement, K.
 */
export const DRIFT_K = 0.1
/** When a step is judged, rooms have made a part of their change: a random share from 0 to this. */
const MAX_FOLLOWED = 0.6
const [LOW, HIGH] = [0.1, 0.9] as const
/** Added to the seed for the errors apart from hydraulics, which have random numbers of their own. */
const ERROR_SEED = 7_001
/** Added to the seed for the curves of valves. */
const CURVE_SEED = 9_001
/** Added to the seed for areas, and for loose thermometers. */
const AREA_SEED = 11_001
const LOOSE_SEED = 13_001

/**
 * Return temperature of a consumer at a flow (kg/s) and a shift of its supply (K), °C; NaN if not known. Its room has
 * made the share `followed` of its change from the present to the planned temperature. With `looseK` it is the true return of a
 * consumer whose thermometer shows so much too little now, K.
 */
function toReturns({ records, readings }: StepOrder, { flowKgS, expected }: PlannedStep) {
  const sensed = roomsOf(records, readings, flowKgS)
  const roomC = sensed.map((room) => (Number.isNaN(room) ? ASSUMED_ROOM_C : room))
  const thermal = thermalOf(records, readings, flowKgS, roomC)
  const restC = roomC.map((room, i) => restAtFlow(thermal, i, expected.flowKgS[i] ?? 0)?.roomC ?? room)
  /** K of an emitter whose return is warmer than shown: it gives off less heat than shown. */
  const looseCoefficient = (i: number, looseK: number): number => {
    const [supply, back, room] = [thermal.supplyC[i] ?? 0, (readings.returnC[i] ?? 0) + looseK, roomC[i] ?? 0]
    const excess = logMeanDifference(supply - room, back - room) ** (thermal.exponent[i] ?? 1)
    return ((flowKgS[i] ?? 0) * WATER_HEAT_CAPACITY * (supply - back)) / excess
  }
  return (i: number, kgS: number, followed: number, supplyShiftK: number, looseK = 0): number => {
    if (Number.isNaN(readings.returnC[i] ?? Number.NaN) || !(kgS > 0)) return Number.NaN
    const [from, to] = [roomC[i] ?? 0, restC[i] ?? 0]
    const coefficient = looseK > 0 ? looseCoefficient(i, looseK) : (thermal.coefficient[i] ?? 0)
    const emitter = { coefficient, exponent: thermal.exponent[i] ?? 1 }
    const supply = celsius((thermal.supplyC[i] ?? 0) + supplyShiftK)
    return returnTemperature(emitter, kilogramPerSecond(kgS), supply, celsius(from + followed * (to - from)))
  }
}

/** Relative change of flow used to compute the slope of a room temperature. */
const LOG_STEP = 0.02

/**
 * Steady mean room temperature of a consumer at a flow (kg/s), °C: linear in ln ṁ around the planned value.
 */
function toRooms({ records, readings }: StepOrder, { flowKgS, expected }: PlannedStep) {
  const thermal = thermalOf(records, readings, flowKgS, roomsOf(records, readings, flowKgS))
  const slope = expected.flowKgS.map((flow, i) => {
    const [more, less] = [1, -1].map(
      (sign) => restAtFlow(thermal, i, flow * Math.exp(sign * LOG_STEP))?.roomC,
    )
    return more === undefined || less === undefined ? Number.NaN : (more - less) / (2 * LOG_STEP)
  })
  return (i: number, kgS: number): number =>
    (expected.roomC[i] ?? Number.NaN) + (slope[i] ?? Number.NaN) * Math.log(kgS / (expected.flowKgS[i] ?? 0))
}

/** Share 0..1 of rooms below the legal limit if each room changes like the mean of its consumer. */
export function shareBelowLegal(
  rooms: readonly MeasuredRoom[],
  afterC: Float64Array,
  beforeC: Float64Array,
): number | undefined {
  return shareWhere(changeRooms(rooms, afterC, beforeC), (room) => room < LEGAL_ROOM_C)
}

/** Room temperatures if each room changes like the mean of its consumer, °C; NaN if not known. */
export const changeRooms = (
  rooms: readonly MeasuredRoom[],
  afterC: Float64Array,
  beforeC: Float64Array,
): Float64Array =>
  Float64Array.from(
    rooms,
    ({ consumer, roomC }) => roomC + (afterC[consumer] ?? Number.NaN) - (beforeC[consumer] ?? Number.NaN),
  )

/** Area-weighted σ(T_r) minus offsets, and the share within 1 K of their mean, over the counted consumers. */
function spreadOf(
  returnC: Float64Array,
  areaM2: Float64Array,
  { counts, offsetK }: Pick<ConfidenceOptions, 'counts' | 'offsetK'>,
) {
  const counted = returnC.map((value, i) =>
    counts === undefined || counts[i] === 1 ? value - (offsetK?.[i] ?? 0) : Number.NaN,
  )
  const mean = weightedMean(counted, areaM2) ?? Number.NaN
  return {
    sigmaK: weightedDeviation(counted, areaM2) ?? Number.NaN,
    within: shareWhere(counted, (value) => Math.abs(value - mean) <= 1) ?? Number.NaN,
  }
}

/** Areas within their uncertainty, m²: a spread weighs each return by its area. */
function sampleAreas({ areaM2, areaSigma }: StepOrder['records'], random: Random): Float64Array {
  if (areaSigma === undefined) return areaM2
  return areaM2.map((area, i) => area * Math.exp(sampleNormal(random, 0, areaSigma[i] ?? 0)))
}

/** Outcomes of sampled loops, one entry for each sample; arrays by consumer. */
interface Outcomes {
  readonly flowKgS: readonly Float64Array[]
  readonly returnC: readonly Float64Array[]
  readonly roomC: readonly Float64Array[]
  readonly sigmaK: readonly number[]
  readonly within: readonly number[]
  readonly goalSpread: readonly number[]
}

/** Samples outcomes with the recorded curves, or with those that `drawCurves` draws for each sample. */
function* sampleOutcomes(
  order: StepOrder,
  step: PlannedStep,
  { counts, offsetK, weather = USUAL_CHANGE, seed = 1 }: ConfidenceOptions,
  drawCurves?: CurveSampler,
): Generator<undefined, Outcomes> {
  const { records, flows, pump } = order
  const { memory, plan, flowKgS: nowKgS } = step
  const returnOf = toReturns(order, step)
  const roomOf = toRooms(order, step)
  const random = createRandom(seed)
  const randomErrors = createRandom(ERROR_SEED + seed)
  const randomCurves = createRandom(CURVE_SEED + seed)
  const randomAreas = createRandom(AREA_SEED + seed)
  const sampleErrors = createErrorSampler(order.readings, weather)
  const count = nowKgS.length > MANY_VALVES ? SAMPLES.many : SAMPLES.few
  const looseOf = createLooseSampler({
    readings: order.readings,
    flowKgS: nowKgS,
    flows,
    random: createRandom(LOOSE_SEED + seed),
    count,
  })
  const moved = new Set(plan.moves.map(({ consumer }) => consumer))
  const returnC: Float64Array[] = []
  const spreads: ReturnType<typeof spreadOf>[] = []
  const flowKgS: Float64Array[] = []
  const roomC: Float64Array[] = []
  const goalSpread: number[] = []
  const spreadOrder = { ...order, targetKgS: step.targets.flowKgS, counts }
  for (let index = 0; index < count; index++) {
    const badness = (index + 0.5) / count
    const valves = drawCurves?.(randomCurves)
    const sample = sampleLoop(records, memory, flows, { badness, random, valves })
    if (sample === undefined) break
    const { supplyShiftK, thermometerK, driftShare } = sampleErrors(index, randomErrors)
    const openings = plan.openings.map((opening, i) =>
      moved.has(i) ? sampleStem(random, opening) : (sample.snapshot.openings[i] ?? opening),
    )
    const solved = solveLoop(sample.model, openings, sourceAt(pump, plan.headPa))
    // A meter has the same error before and after.
    const shown = nowKgS.map(
      (now, i) => now * ((solved.flowKgS[i] ?? 0) / (sample.snapshot.flowKgS[i] ?? now)),
    )
    const followed = MAX_FOLLOWED * random()
    const roomsThen = shown.map((kgS, i) => roomOf(i, kgS))
    const driftK = shown.map(() => sampleNormal(random, 0, DRIFT_K))
    const returnsAt = (shiftK: number, share: number, looseK?: Float64Array): Float64Array =>
      shown.map((kgS, i) => returnOf(i, kgS, followed, shiftK, looseK?.[i]) + share * (driftK[i] ?? 0))
    const returnsThen = returnsAt(supplyShiftK, driftShare)
    const looseK = looseOf?.(index)
    const trueReturns = returnsAt(supplyShiftK, driftShare, looseK).map(
      (value, i) => value - (thermometerK[i] ?? 0),
    )
    const areaM2 = sampleAreas(records, randomAreas)
    flowKgS.push(shown)
    roomC.push(roomsThen)
    returnC.push(returnsThen)
    spreads.push(spreadOf(trueReturns, areaM2, { counts, offsetK }))
    // The goal is compared with the present spread, in the present weather and with the same thermometers.
    goalSpread.push(spreadOfGoal(spreadOrder, { flowKgS: shown, returnC: returnsAt(0, 1), roomC: roomsThen }))
    yield
  }
  return {
    flowKgS,
    returnC,
    roomC,
    sigmaK: spreads.map(({ sigmaK }) => sigmaK),
    within: spreads.map(({ within }) => within),
    goalSpread,
  }
}

/** The lowest P10 of sets of samples, and their highest P90; undefined if no sample has a value. */
function lowest(sets: readonly (readonly number[])[]): number | undefined {
  const known = sets.flatMap((samples) => quantile(samples, LOW) ?? [])
  return known.length > 0 ? Math.min(...known) : undefined
}
function highest(sets: readonly (readonly number[])[]): number | undefined {
  const known = sets.flatMap((samples) => quantile(samples, HIGH) ?? [])
  return known.length > 0 ? Math.max(...known) : undefined
}

/**
 * Range of possible outcomes of a planned step. Samples loops within the uncertainty of records and measurements
 * (possible-loops.ts), and solves each with the planned openings plus the errors of motors. Weather and thermometers
 * have samples of their own (forecast-errors.ts), and so have loose thermometers (loose-sensors.ts) and estimated areas, which
 * change the spread of the true returns only. Where the snapshots show other curves of valves than the recorded ones, a
 * second set of samples draws these (drawn-curves.ts): the range includes both sets, and medians are of all samples. The plan
 * itself is judged with recorded curves. Valves that ignore their commands are not included: judge-step.ts finds them
 * afterwards. The same seed gives the same result. Yields after each sample (about 2 ms for 36 valves, 50 ms for 1,000), so
 * that a server can do other work. Worked example: plan-confidence.test.ts.
 */
export function* forecastInSteps(
  order: StepOrder,
  step: PlannedStep,
  options: ConfidenceOptions = {},
): Generator<undefined, PlanConfidence> {
  const { rooms = [] } = options
  const { returnC: expectedC, roomC: expectedRoomC } = step.expected
  const recorded = yield* sampleOutcomes(order, step, options)
  const drawCurves = yield* createCurveSampler(order.records, step.memory, order.flows)
  const sets = drawCurves ? [recorded, yield* sampleOutcomes(order, step, options, drawCurves)] : [recorded]
  const sigmas = sets.map(({ sigmaK }) => sigmaK)
  const shares = sets.map(({ within }) => within)
  const returns = sets.map(({ returnC }) => returnC)
  const flows = sets.map(({ flowKgS }) => flowKgS)
  const roomsThen = sets.map(({ roomC }) => roomC)
  const worstCold = highest(
    sets.map(({ roomC }) =>
      roomC.map((values) => shareBelowLegal(rooms, values, step.before.roomC) ?? Number.NaN),
    ),
  )
  const expectedCold = shareBelowLegal(rooms, expectedRoomC, step.before.roomC)
  return {
    returnLowC: lowestOf(returns, LOW, expectedC),
    returnHighC: highestOf(returns, HIGH, expectedC),
    flowLowKgS: lowestOf(flows, LOW),
    flowHighKgS: highestOf(flows, HIGH),
    bestSigmaReturnK: lowest(sigmas),
    medianSigmaReturnK: quantile(sigmas.flat(), 0.5),
    worstSigmaReturnK: highest(sigmas),
    medianGoalSpread: quantile(recorded.goalSpread, 0.5),
    bestWithinOneK: highest(shares),
    medianWithinOneK: quantile(shares.flat(), 0.5),
    worstWithinOneK: lowest(shares),
    roomLowC: lowestOf(roomsThen, LOW, expectedRoomC),
    worstUnder18: worstCold === undefined ? undefined : Math.max(worstCold, expectedCold ?? 0),
  }
}

/** Runs `forecastInSteps` to its end without yielding. */
export const forecastStep = (...parameters: Parameters<typeof forecastInSteps>): PlanConfidence =>
  runToEnd(forecastInSteps(...parameters))
