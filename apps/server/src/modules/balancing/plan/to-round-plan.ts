import { findLosses, type LoopLosses } from '@isotherm/balancing/indices/loop-losses'
import type { PlanConfidence } from '@isotherm/balancing/plan/plan-confidence'
import type { RecordEstimates } from '@isotherm/balancing/records/assumed-loop'
import type { BalanceIndices, CampaignMember } from '@isotherm/contract/balancing/campaign'
import { weightedMean } from '@isotherm/kernel/statistics'
import { known } from '../loop/known.ts'
import { returnOffsetOf, returnOffsetsOf } from '../loop/return-offsets.ts'
import { listCold } from '../measurements/cold-rooms.ts'
import { type Actuation, actuationOf, toIndices } from '../measurements/loop-indices.ts'
import { type MeasuredLoop, toM3H } from '../measurements/measured-loop.ts'
import { countRooms, listRooms, roomsAfter } from '../measurements/room-figures.ts'
import { type PointArrays, type StationPoint, toPoint, toStationPoint } from './members.ts'
import type { RoundOrder, RoundSketch } from './plan-round.ts'
import type { PlannedStep, RoundPlan } from './planner.ts'
import { toRefusalParams } from './require-identified.ts'
import { isSettling } from './require-rest.ts'
import { listGuessed, type RoundMemory } from './round-memory.ts'

type Step = RoundSketch['step']

const toSteps = ({ loop, measured }: RoundOrder, sketch: RoundSketch): PlannedStep[] => {
  const idOf = (consumer: number): number => loop.consumers[consumer]?.deviceId ?? 0
  const isWatched = (consumer: number): boolean =>
    sketch.flows === 'metered' &&
    !sketch.isLowered[consumer] &&
    !Number.isNaN(measured.meterKgS[consumer] ?? Number.NaN)
  return sketch.step.waves.steps.flatMap((wave): PlannedStep[] => {
    const moves = (wave.kind === 'pump' ? [] : wave.moves).flatMap(({ consumer }) => {
      const toPct = sketch.orders.get(consumer)
      const fromPct = Math.round(sketch.openingPct[consumer] ?? 0)
      return toPct === undefined ? [] : [{ deviceId: idOf(consumer), fromPct, toPct }]
    })
    const { minFlowKgS, minHeadPa, maxHeadPa } = wave.after
    const minFlowM3H = Array.from(minFlowKgS.entries()).flatMap(([consumer, flow]) =>
      isWatched(consumer) ? [[idOf(consumer), toM3H(flow)] as const] : [],
    )
    const limits = { minFlowM3H, minHeadKpa: minHeadPa / 1000, maxHeadKpa: maxHeadPa / 1000 }
    if (wave.kind === 'pump')
      return sketch.pump ? [{ kind: 'pump', moves, pump: sketch.pump, ...limits }] : []
    return moves.length === 0 ? [] : [{ kind: wave.kind, moves, ...limits }]
  })
}

const total = (flows: ArrayLike<number>): number => Array.from(flows).reduce((sum, flow) => sum + flow, 0)
const ofMembers = (values: Float64Array, { isMember }: RoundSketch): Float64Array =>
  values.filter((_, index) => isMember[index])
/** The values, and where one is NaN the other value at its place. */
const fillUnknown = (values: Float64Array, other: Float64Array): Float64Array =>
  values.map((value, index) => (Number.isNaN(value) ? (other[index] ?? Number.NaN) : value))

/** Prediction of the station. The pump power grows with head times flow from its present value. */
function expectStation({ measured }: RoundOrder, { before, expected }: Step): StationPoint {
  const power = (expected.headPa * total(expected.flowKgS)) / (before.headPa * total(before.flowKgS))
  const expectedReturnC = weightedMean(expected.returnC, expected.flowKgS) ?? Number.NaN
  const presentReturnC = weightedMean(before.returnC, before.flowKgS) ?? Number.NaN
  return {
    headPa: expected.headPa,
    totalKgS: total(expected.flowKgS),
    pumpW: power * measured.pumpW,
    stationSupplyC: measured.stationSupplyC,
    stationReturnC: measured.stationReturnC + expectedReturnC - presentReturnC,
    outdoorC: measured.outdoorC,
  }
}

/** Indices of the members at an operating point. `rooms`: temperatures of their measured rooms, °C. */
const indexPoint = (
  order: RoundOrder,
  sketch: RoundSketch,
  points: PointArrays,
  station: StationPoint,
  rooms: readonly number[],
  more: { readonly losses: LoopLosses; readonly actuation?: Actuation },
) =>
  toIndices({
    ...more,
    areaM2: ofMembers(order.records.areaM2, sketch),
    supplyC: ofMembers(points.supplyC, sketch),
    returnC: ofMembers(points.returnC, sketch),
    flowKgS: ofMembers(points.flowKgS, sketch),
    offsetK: ofMembers(returnOffsetsOf(order.loop), sketch),
    requiredKgS: ofMembers(sketch.step.targets.flowKgS, sketch),
    opening: ofMembers(points.openingPct, sketch).map((pct) => pct / 100),
    isExcluded: Uint8Array.from(
      sketch.reasons.filter((_, index) => sketch.isMember[index]),
      (reason) => (reason ? 1 : 0),
    ),
    roomC: rooms,
    outdoorC: order.measured.outdoorC,
    headPa: station.headPa,
    pumpW: station.pumpW,
    stationSupplyC: station.stationSupplyC,
    stationReturnC: station.stationReturnC,
  })

/** Distribution of the head over the members at these flows. */
function lossesOf(sketch: RoundSketch, headPa: number, flowKgS: Float64Array): LoopLosses {
  const { model, targets } = sketch.step
  const { pathPa, loopPa } = findLosses(model, { headPa, flowKgS }, targets.flowKgS)
  return { pathPa: ofMembers(pathPa, sketch), loopPa: ofMembers(loopPa, sketch) }
}

/** Bounds of the forecast with 90 % confidence. */
function boundsOf({ confidence }: RoundSketch): Pick<RoundPlan['indices'], 'best' | 'worst'> {
  const best = known({ sigmaReturnK: confidence.bestSigmaReturnK, withinOneK: confidence.bestWithinOneK })
  const worst = known({
    sigmaReturnK: confidence.worstSigmaReturnK,
    withinOneK: confidence.worstWithinOneK,
    under18: confidence.worstUnder18,
  })
  const isKnown = (bounds: object): boolean => Object.keys(bounds).length > 0
  return { ...(isKnown(best) ? { best } : {}), ...(isKnown(worst) ? { worst } : {}) }
}

/**
 * Replaces the expected spreads by medians of the forecast's samples. The spreads at the best estimate are less than
 * half of these: the plan was optimized for that estimate, so it looks better there than it is.
 */
function expectSpreads(indices: BalanceIndices, { confidence }: RoundSketch): BalanceIndices {
  const { sigmaReturnK, sigmaReturnPerDrop } = indices
  const median = confidence.medianSigmaReturnK
  const perDrop =
    sigmaReturnK === undefined || sigmaReturnPerDrop === undefined || median === undefined
      ? undefined
      : (sigmaReturnPerDrop * median) / sigmaReturnK
  return {
    ...indices,
    ...known({
      sigmaReturnK: median,
      sigmaReturnPerDrop: perDrop,
      withinOneK: confidence.medianWithinOneK,
    }),
  }
}

const rangeOf = ({ returnLowC, returnHighC, roomLowC }: PlanConfidence, index: number) =>
  known({ returnLowC: returnLowC[index], returnHighC: returnHighC[index], roomLowC: roomLowC[index] })

/** Why a consumer does not get the target of the mode. */
function limitOf(order: RoundOrder, { targets, objected }: Step, index: number): CampaignMember['limit'] {
  if (isSettling(order, order.loop.consumers[index]?.deviceId ?? 0)) return 'settling'
  const objection = objected.get(index)
  return objection ? `rooms-${objection}` : targets.limited.get(index)
}

/** The plan of a round in the units that people and devices use: %, kPa, m³/h. */
export function toRoundPlan(order: RoundOrder, sketch: RoundSketch): RoundPlan {
  const { loop, measured, records } = order
  const { step, orders, openingPct, flows, confidence } = sketch
  const reportedPct = openingPct.map((shown, index) => orders.get(index) ?? shown)
  const { supplyC } = measured
  const before: PointArrays = {
    openingPct,
    flowKgS: step.flowKgS,
    supplyC,
    returnC: measured.returnC,
    roomC: fillUnknown(measured.roomC, step.before.roomC),
  }
  const expected: PointArrays = { ...step.expected, openingPct: reportedPct, supplyC }
  const station = {
    before: { ...measured, totalKgS: totalOf(measured, step) },
    expected: expectStation(order, step),
  }
  const rooms = listRooms(loop, measured, sketch.isMember)
  const later = roomsAfter(rooms, step)
  const [countNow, countLater] = [countRooms(rooms), countRooms(later)]
  const lowered = new Set(
    loop.consumers.flatMap(({ rooms: behind }, index) =>
      sketch.isLowered[index] ? behind.map(({ deviceId }) => deviceId) : [],
    ),
  )
  const comfortRooms = new Map([...measured.rooms].filter(([deviceId]) => !lowered.has(deviceId)))
  const memory: RoundMemory = {
    devices: loop.consumers.map(({ deviceId }) => deviceId),
    step: step.memory,
    ...(order.estimates && { estimates: order.estimates }),
    openings: [...step.plan.openings],
    reportedPct: [...reportedPct],
    moves: step.plan.moves
      .filter(({ consumer }) => orders.has(consumer))
      .map(({ consumer, from, to }) => ({ consumer, from, to })),
    isTrim: order.memory !== undefined,
    minShare: [...step.minShare],
    guessed: listGuessed(measured, flows),
    ...(step.trim && { trim: { base: [...step.trim.base], integralKd: [...step.trim.integralKd] } }),
    rooms: { measured: [...comfortRooms.keys()], cold: listCold(comfortRooms) },
  }
  return {
    plannedAt: order.at,
    flows,
    settleMs: order.settleMs(flows),
    ...(order.roomRest && (orders.size > 0 || sketch.pump) ? { roomRestMs: order.roomRest.restMs } : {}),
    ...known({ common: step.targets.common }),
    station: {
      before: toStationPoint(station.before),
      expected: toStationPoint(station.expected),
      ...(sketch.pump ? { pump: sketch.pump } : {}),
      ...(sketch.pumpStays ? { pumpStays: sketch.pumpStays } : {}),
      ...known({ advisedHeadKpa: step.advisedHeadPa / 1000 }),
      ...(order.estimates && { exchanger: toExchanger(order.estimates.station) }),
    },
    indices: {
      before: indexPoint(
        order,
        sketch,
        before,
        station.before,
        rooms.map(({ roomC }) => roomC),
        {
          losses: lossesOf(sketch, measured.headPa, step.flowKgS),
        },
      ),
      expected: expectSpreads(
        indexPoint(
          order,
          sketch,
          expected,
          station.expected,
          later.map(({ roomC }) => roomC),
          {
            losses: lossesOf(sketch, step.expected.headPa, step.expected.flowKgS),
            actuation: actuationOf(ofMembers(openingPct, sketch), ofMembers(reportedPct, sketch)),
          },
        ),
        sketch,
      ),
      ...boundsOf(sketch),
    },
    members: loop.consumers.flatMap((consumer, index): CampaignMember[] => {
      if (!sketch.isMember[index]) return []
      const { deviceId, deviceName, node, nestaddr } = consumer
      const [excluded, limit] = [sketch.reasons[index], limitOf(order, step, index)]
      const offsetK = returnOffsetOf(consumer.emitter)
      const areaFrom = records.areaSource?.[index]
      return [
        {
          deviceId,
          deviceName,
          node,
          nestaddr,
          areaM2: records.areaM2[index] ?? 0,
          ...(areaFrom === undefined || areaFrom === 'recorded' ? {} : { areaFrom }),
          ...(excluded ? { excluded } : {}),
          ...(measured.deadMeters?.has(deviceId) ? { meter: 'dead' as const } : {}),
          ...(offsetK === 0 ? {} : { offsetK }),
          before: { ...toPoint(before, index, measured.roomC), ...countNow(index) },
          expected: {
            ...toPoint(expected, index, measured.roomC),
            ...rangeOf(confidence, index),
            ...countLater(index),
          },
          ...(excluded ? {} : known({ targetFlowM3H: toM3H(step.targets.flowKgS[index] ?? Number.NaN) })),
          ...(limit && !excluded ? { limit } : {}),
        },
      ]
    }),
    steps: toSteps(order, sketch),
    heldBack: [
      ...(sketch.isPumpLeft ? [loop.station.deviceId] : []),
      ...loop.consumers.flatMap(({ deviceId, maxStepPct }, index) => {
        const commanded = orders.get(index)
        const far = Math.abs((commanded ?? 0) - (openingPct[index] ?? 0))
        return commanded !== undefined && maxStepPct !== null && far > maxStepPct - 1 ? [deviceId] : []
      }),
    ],
    ...(sketch.refusal && { refusal: toRefusalParams(order.place.nodeName, sketch.refusal) }),
    maxUnansweredShare: step.waves.maxUnansweredShare,
    coldRooms: memory.rooms.cold.length,
    memory,
  }
}

const toExchanger = ({ dropPa, sigma, source }: RecordEstimates['station']) => ({
  kpa: dropPa / 1000,
  errorKpa: (sigma * dropPa) / 1000,
  from: source,
})

const totalOf = ({ totalKgS }: MeasuredLoop, { flowKgS }: Step): number =>
  Number.isNaN(totalKgS) ? total(flowKgS) : totalKgS
