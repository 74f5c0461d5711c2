import { findLosses } from '@isotherm/balancing/indices/loop-losses'
import type { LoopModel } from '@isotherm/balancing/loop/loop-model'
import { judgeInSteps, type StepJudgement } from '@isotherm/balancing/plan/judge-step'
import type { LoopRecords } from '@isotherm/balancing/records/loop-records'
import { findStepFlows } from '@isotherm/balancing/step/step-flows'
import { modelOf } from '@isotherm/balancing/step/step-model'
import type { BalanceMode, MoveVerdict } from '@isotherm/contract/balancing/campaign'
import { AppError } from '../../../platform/app-error.ts'
import type { Loop } from '../loop/loop.ts'
import type { Place } from '../loop/place.ts'
import { returnOffsetsOf } from '../loop/return-offsets.ts'
import { actuationOf, toIndices } from '../measurements/loop-indices.ts'
import { type MeasuredLoop, STILL_PCT, toKgS } from '../measurements/measured-loop.ts'
import { nameUnmeasured } from '../measurements/name-unmeasured.ts'
import { isMeasured, type PointArrays, toPoint, toStationPoint } from './members.ts'
import { listOverClosed } from './over-closed/list-over-closed.ts'
import type { RoundPlan, Verification } from './planner.ts'
import { isSameLoop, type RoundMemory, readMemory } from './round-memory.ts'

/** A settled round, and the readings since then. */
export interface VerifyOrder {
  readonly place: Place
  readonly mode: BalanceMode
  readonly plan: RoundPlan
  readonly loop: Loop
  readonly records: LoopRecords
  readonly measured: MeasuredLoop
  /** Ids of valves that work the wrong way round. */
  readonly inverted?: ReadonlySet<number>
  /** Valves without which there is no result yet. */
  readonly required?: readonly number[]
}

/** Estimated flows of the consumers with a measured return; the others are guesses and become NaN. */
const withoutGuesses = ({ returnC }: MeasuredLoop, flowKgS: Float64Array): Float64Array =>
  flowKgS.map((flow, i) => (Number.isNaN(returnC[i] ?? Number.NaN) ? Number.NaN : flow))

/** Estimated stem openings after a round: a stuck valve has its opening from before. */
function findStems({ openings, moves }: RoundMemory, { verdicts }: StepJudgement): readonly number[] {
  const from = new Map(moves.map((move) => [move.consumer, move.from]))
  const stuck = new Set(verdicts.flatMap(({ consumer, verdict }) => (verdict === 'stuck' ? consumer : [])))
  return openings.map((to, consumer) => (stuck.has(consumer) ? (from.get(consumer) ?? to) : to))
}

/** Verdicts by device and the learned state; none if the loop has other valves than before. */
function* judge(
  { plan, loop, records, measured, inverted = new Set() }: VerifyOrder,
  memory: RoundMemory,
  { model, flowKgS }: { readonly model: LoopModel; readonly flowKgS: Float64Array },
): Generator<
  undefined,
  { readonly verdicts: ReadonlyMap<number, MoveVerdict>; readonly memory: RoundMemory }
> {
  if (!isSameLoop(memory, loop)) return { verdicts: new Map(), memory }
  const judged = yield* judgeInSteps({
    model,
    memory: memory.step,
    readings: {
      headPa: measured.headPa,
      meterKgS: measured.meterKgS,
      flowKgS: withoutGuesses(measured, flowKgS),
      openings: measured.openingPct.map((pct) => pct / 100),
    },
    flows: plan.flows,
    records,
    plan: { moves: memory.moves, openings: Float64Array.from(memory.openings) },
    isTrim: memory.isTrim,
  })
  const idOf = (consumer: number): number => loop.consumers[consumer]?.deviceId ?? 0
  const verdictOf = ({ consumer, verdict }: StepJudgement['verdicts'][number]): MoveVerdict =>
    inverted.has(idOf(consumer)) ? 'inverted' : verdict
  return {
    verdicts: new Map(judged.verdicts.map((one) => [idOf(one.consumer), verdictOf(one)])),
    memory: { ...memory, step: judged.memory, openings: findStems(memory, judged) },
  }
}

/**
 * Distribution of the head at the present flows, compared with the target flows, by the model of the plan.
 */
function findLossesOf({ plan, loop, measured }: VerifyOrder, model: LoopModel, flowKgS: Float64Array) {
  const targetM3H = new Map(plan.members.map(({ deviceId, targetFlowM3H }) => [deviceId, targetFlowM3H]))
  const requiredKgS = flowKgS.map((flow, index) => {
    const target = targetM3H.get(loop.consumers[index]?.deviceId ?? 0)
    return target === undefined ? flow : toKgS(target)
  })
  return findLosses(model, { headPa: measured.headPa, flowKgS }, requiredKgS)
}

/**
 * Result of a round. Before anything is computed, throws balance.not-measured if less than half of the movable valves or
 * not all required ones have readings, and balance.no-head. Yields between parts of the work, so that the server can do
 * other work: 1.5 s for 1,000 valves (docs/performance/balancing.md).
 */
export function* verifyInSteps(order: VerifyOrder): Generator<undefined, Verification> {
  const { place, mode, plan, loop, records, measured, required = [] } = order
  const placeOf = new Map(loop.consumers.map(({ deviceId }, index) => [deviceId, index]))
  const members = plan.members.flatMap((member) => {
    const index = placeOf.get(member.deviceId)
    return index !== undefined && isMeasured(measured, index, mode) ? [{ ...member, index }] : []
  })
  const movable = plan.members.filter(({ excluded }) => excluded === undefined).length
  const measuredCount = members.filter(({ excluded }) => excluded === undefined).length
  const known = new Set(members.map(({ deviceId }) => deviceId))
  const isComplete = required.every((deviceId) => known.has(deviceId))
  if (measuredCount === 0 || 2 * measuredCount < movable || !isComplete) {
    const missing = plan.members.filter((member) => !member.excluded && !known.has(member.deviceId))
    throw new AppError('balance.not-measured', {
      node: place.nodeName,
      measured: measuredCount,
      valves: movable,
      missing: nameUnmeasured(missing.map(({ nestaddr }) => nestaddr)),
    })
  }
  if (!(measured.headPa > 0)) throw new AppError('balance.no-head', { node: place.nodeName })
  const flowKgS = findStepFlows(records, measured, plan.flows)
  const before = readMemory(plan.memory)
  const model = isSameLoop(before, loop) ? modelOf(records, before.step, plan.flows) : records.loop
  yield
  const { verdicts, memory } = yield* judge(order, before, { model, flowKgS })
  const overClosed = listOverClosed({
    loop,
    memory: before,
    flows: plan.flows,
    model,
    afterKgS: plan.flows === 'metered' ? measured.meterKgS : withoutGuesses(measured, flowKgS),
    headPa: measured.headPa,
    rooms: measured.rooms,
  })
  const points: PointArrays = { ...measured, flowKgS }
  const of = (values: Float64Array): Float64Array =>
    Float64Array.from(members, ({ index }) => values[index] ?? Number.NaN)
  const flows = of(flowKgS)
  const { pathPa, loopPa } = findLossesOf(order, model, flowKgS)
  const wasPct = Float64Array.from(members, ({ before }) => before.openingPct)
  const after = new Map(
    members.map(({ deviceId, index }) => [deviceId, toPoint(points, index, measured.roomC)]),
  )
  return {
    station: toStationPoint(measured),
    indices: toIndices({
      losses: { pathPa: of(pathPa), loopPa: of(loopPa) },
      actuation: actuationOf(wasPct, of(measured.openingPct), STILL_PCT),
      areaM2: of(records.areaM2),
      supplyC: of(measured.supplyC),
      returnC: of(measured.returnC),
      offsetK: of(returnOffsetsOf(loop)),
      flowKgS: flows,
      requiredKgS: Float64Array.from(members, ({ targetFlowM3H }, at) =>
        targetFlowM3H === undefined ? (flows[at] ?? Number.NaN) : toKgS(targetFlowM3H),
      ),
      opening: of(measured.openingPct).map((pct) => pct / 100),
      isExcluded: Uint8Array.from(members, ({ excluded }) => (excluded ? 1 : 0)),
      roomC: members.flatMap(({ index }) =>
        (loop.consumers[index]?.rooms ?? []).flatMap(({ deviceId }) => measured.rooms.get(deviceId) ?? []),
      ),
      outdoorC: measured.outdoorC,
      headPa: measured.headPa,
      pumpW: measured.pumpW,
      stationSupplyC: measured.stationSupplyC,
      stationReturnC: measured.stationReturnC,
    }),
    members: plan.members.flatMap(({ deviceId }) => {
      const [point, verdict] = [after.get(deviceId), verdicts.get(deviceId)]
      if (!point && !verdict) return []
      return [{ deviceId, ...(point ? { after: point } : {}), ...(verdict ? { verdict } : {}) }]
    }),
    memory,
    overClosed,
  }
}
