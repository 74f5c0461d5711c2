import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import { createRandom, drawNormal } from '@isotherm/kernel/random'
import { quantile, shareWhere, weightedDeviation, weightedMean } from '@isotherm/kernel/statistics'
import { returnTemperature } from '@isotherm/thermal/households/radiator'
import { solveLoop, sourceAt } from '../loop/loop-flows.ts'
import { LEGAL_ROOM_C } from '../rooms/room-gate.ts'
import { restAtFlow } from '../rooms/thermal-model.ts'
import { drawLoop, drawStem } from '../step/possible-loops.ts'
import { roomsOf, thermalOf } from '../step/step-aims.ts'
import { ASSUMED_ROOM_C } from '../step/step-flows.ts'
import type { PlannedStep, StepOrder } from './plan-step.ts'

/** How a plan may come out; arrays by consumer, P10 and P90, NaN where a return is not known now. */
export interface PlanConfidence {
  /**
   * °C, as the thermometers will show them in the weather of the plan; they hold what the step expects, which is with rooms
   * at rest.
   */
  readonly returnLowC: Float64Array
  readonly returnHighC: Float64Array
  /** kg/s, as the meters will show them. */
  readonly flowLowKgS: Float64Array
  readonly flowHighKgS: Float64Array
  /** Spread of returns, less the offset of each, by area, K: half of all cases stay below the first, nine of ten below the other. */
  readonly medianSigmaReturnK: number | undefined
  readonly worstSigmaReturnK: number | undefined
  /** Share of returns, less the offset of each, within 1 K of their mean that nine of ten cases reach, 0..1. */
  readonly worstWithinOneK: number | undefined
  /** Mean room at rest that nine of ten cases reach, °C; NaN where no room is measured. */
  readonly roomLowC: Float64Array
  /** Share of the rooms given that are below 18 °C at rest, which nine of ten cases stay within, 0..1. */
  readonly worstUnder18: number | undefined
}

/** A room as it is measured now, and the place of its consumer. */
export interface MeasuredRoom {
  readonly consumer: number
  readonly roomC: number
}

export interface ConfidenceOptions {
  /** 1 for a consumer that counts in the spread; all without it. */
  readonly counts?: Uint8Array | undefined
  /** How far each return is meant to be from what is common, K; without it all are meant to be alike. */
  readonly offsetK?: Float64Array | undefined
  /** Rooms that are measured, °C, and behind whom. */
  readonly rooms?: readonly MeasuredRoom[] | undefined
  readonly seed?: number
}

/** Loops drawn; a spread of many valves differs less from one to the next. */
const DRAWS = { few: 40, many: 20 } as const
const MANY_VALVES = 100
/** What a consumer's return is off between two windows by the ways of households, weather, and how it is measured, K. */
const DRIFT_K = 0.1
/** How far rooms have followed when a step is judged: from not at all to most of the way. */
const MOST_FOLLOWED = 0.6
const [LOW, HIGH] = [0.1, 0.9] as const

/** The return of a consumer at a flow (kg/s), °C, its room so far on the way to where the plan expects it; NaN where not known. */
function toReturns({ records, seen }: StepOrder, { flowKgS, expected }: PlannedStep) {
  const sensed = roomsOf(records, seen, flowKgS)
  const roomC = sensed.map((room) => (Number.isNaN(room) ? ASSUMED_ROOM_C : room))
  const thermal = thermalOf(records, seen, flowKgS, roomC)
  const restC = roomC.map((room, i) => restAtFlow(thermal, i, expected.flowKgS[i] ?? 0)?.roomC ?? room)
  return (i: number, kgS: number, followed: number): number => {
    if (Number.isNaN(seen.returnC[i] ?? Number.NaN) || !(kgS > 0)) return Number.NaN
    const [from, to] = [roomC[i] ?? 0, restC[i] ?? 0]
    const emitter = { coefficient: thermal.coefficient[i] ?? 0, exponent: thermal.exponent[i] ?? 1 }
    const supply = celsius(thermal.supplyC[i] ?? 0)
    return returnTemperature(emitter, kilogramPerSecond(kgS), supply, celsius(from + followed * (to - from)))
  }
}

/** By how little a flow is changed to see what its rooms make of it. */
const LOG_STEP = 0.02

/** Mean room at rest behind a consumer at a flow (kg/s), °C: straight in ln ṁ about what the plan expects. */
function toRooms({ records, seen }: StepOrder, { flowKgS, expected }: PlannedStep) {
  const thermal = thermalOf(records, seen, flowKgS, roomsOf(records, seen, flowKgS))
  const slope = expected.flowKgS.map((flow, i) => {
    const [more, less] = [1, -1].map((way) => restAtFlow(thermal, i, flow * Math.exp(way * LOG_STEP))?.roomC)
    return more === undefined || less === undefined ? Number.NaN : (more - less) / (2 * LOG_STEP)
  })
  return (i: number, kgS: number): number =>
    (expected.roomC[i] ?? Number.NaN) + (slope[i] ?? Number.NaN) * Math.log(kgS / (expected.flowKgS[i] ?? 0))
}

/** By consumer, the value that a share of all draws lie below. */
const across = (drawn: readonly Float64Array[], share: number): Float64Array =>
  Float64Array.from(
    drawn[0] ?? [],
    (_, i) =>
      quantile(
        drawn.map((values) => values[i] ?? Number.NaN),
        share,
      ) ?? Number.NaN,
  )

/** Share of rooms below the legal limit when each has changed as the mean of its consumer. */
function shareBelowLegal(
  rooms: readonly MeasuredRoom[],
  afterC: Float64Array,
  beforeC: Float64Array,
): number | undefined {
  return shareWhere(changeRooms(rooms, afterC, beforeC), (room) => room < LEGAL_ROOM_C)
}

/** Rooms once each has changed as the mean of its consumer does, °C; NaN where that is not known. */
export const changeRooms = (
  rooms: readonly MeasuredRoom[],
  afterC: Float64Array,
  beforeC: Float64Array,
): Float64Array =>
  Float64Array.from(
    rooms,
    ({ consumer, roomC }) => roomC + (afterC[consumer] ?? Number.NaN) - (beforeC[consumer] ?? Number.NaN),
  )

/** σ(T_r) by area, and the share within 1 K of their mean, of who counts and beside the offset of each. */
function spreadOf(
  returnC: Float64Array,
  areaM2: Float64Array,
  { counts, offsetK }: Pick<ConfidenceOptions, 'counts' | 'offsetK'>,
) {
  const counted = returnC.map((value, i) =>
    counts === undefined || counts[i] === 1 ? value - (offsetK?.[i] ?? 0) : Number.NaN,
  )
  const middle = weightedMean(counted, areaM2) ?? Number.NaN
  return {
    sigmaK: weightedDeviation(counted, areaM2) ?? Number.NaN,
    within: shareWhere(counted, (value) => Math.abs(value - middle) <= 1) ?? Number.NaN,
  }
}

/**
 * How far a planned step may miss, from loops drawn as records and measurements leave them open (possible-loops.ts), each
 * solved with the planned openings as motors may reach them. Valves that do not follow at all are not in it: those are
 * found when the step is judged. The same seed gives the same answer. Yields after each draw (some 2 ms for 36 valves,
 * 50 for 1,000), so that a server can do something else in between. Worked example: plan-confidence.test.ts.
 */
export function* drawForecast(
  order: StepOrder,
  step: PlannedStep,
  { counts, offsetK, rooms = [], seed = 1 }: ConfidenceOptions = {},
): Generator<undefined, PlanConfidence> {
  const { records, flows, pump } = order
  const { memory, plan, flowKgS: nowKgS } = step
  const { returnC: expectedC } = step.expected
  const returnOf = toReturns(order, step)
  const roomOf = toRooms(order, step)
  const random = createRandom(seed)
  const draws = nowKgS.length > MANY_VALVES ? DRAWS.many : DRAWS.few
  const moved = new Set(plan.moves.map(({ consumer }) => consumer))
  const returnC: Float64Array[] = []
  const flowKgS: Float64Array[] = []
  const roomC: Float64Array[] = []
  for (let draw = 0; draw < draws; draw++) {
    const drawn = drawLoop(records, memory, flows, { badness: (draw + 0.5) / draws, random })
    if (drawn === undefined) break
    const openings = plan.openings.map((opening, i) =>
      moved.has(i) ? drawStem(random, opening) : (drawn.snapshot.openings[i] ?? opening),
    )
    const solved = solveLoop(drawn.model, openings, sourceAt(pump, plan.headPa))
    // What a meter is off now it is off then.
    const shown = nowKgS.map(
      (now, i) => now * ((solved.flowKgS[i] ?? 0) / (drawn.snapshot.flowKgS[i] ?? now)),
    )
    const followed = MOST_FOLLOWED * random()
    flowKgS.push(shown)
    roomC.push(shown.map((kgS, i) => roomOf(i, kgS)))
    returnC.push(shown.map((kgS, i) => returnOf(i, kgS, followed) + drawNormal(random, 0, DRIFT_K)))
    yield
  }
  const spreads = returnC.map((values) => spreadOf(values, records.areaM2, { counts, offsetK }))
  const sigmas = spreads.map(({ sigmaK }) => sigmaK)
  const shares = spreads.map(({ within }) => within)
  const cold = roomC.map((values) => shareBelowLegal(rooms, values, step.before.roomC) ?? Number.NaN)
  const worstCold = quantile(cold, HIGH)
  const expectedCold = shareBelowLegal(rooms, step.expected.roomC, step.before.roomC)
  return {
    returnLowC: across(returnC, LOW).map((low, i) => Math.min(low, expectedC[i] ?? low)),
    returnHighC: across(returnC, HIGH).map((high, i) => Math.max(high, expectedC[i] ?? high)),
    flowLowKgS: across(flowKgS, LOW),
    flowHighKgS: across(flowKgS, HIGH),
    medianSigmaReturnK: quantile(sigmas, 0.5),
    worstSigmaReturnK: quantile(sigmas, HIGH),
    worstWithinOneK: quantile(shares, LOW),
    roomLowC: across(roomC, LOW).map((low, i) => Math.min(low, step.expected.roomC[i] ?? low)),
    worstUnder18: worstCold === undefined ? undefined : Math.max(worstCold, expectedCold ?? 0),
  }
}

/** The same at one go. */
export function forecastStep(...asked: Parameters<typeof drawForecast>): PlanConfidence {
  const drawing = drawForecast(...asked)
  let next = drawing.next()
  while (!next.done) next = drawing.next()
  return next.value
}
