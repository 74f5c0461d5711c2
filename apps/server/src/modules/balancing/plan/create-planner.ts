import type { TimeConstantOutcome } from '@isotherm/balancing/rooms/time-constant'
import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import type { MetricName } from '@isotherm/contract/metrics'
import { DAY_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { runInSlices } from '../../../platform/tasks/turns/run-in-slices.ts'
import { type Exclusions, findExclusions, toInverted } from '../loop/exclusions.ts'
import { known } from '../loop/known.ts'
import type { Loop } from '../loop/loop.ts'
import { findPlace, readLoop } from '../loop/loop-place.ts'
import type { Place } from '../loop/place.ts'
import { estimatesOf, recordsOf } from '../loop/records.ts'
import type { GroupPaths } from '../loop/slot-levels.ts'
import { countColdSince } from '../measurements/cold-rooms.ts'
import {
  findSettlingKind,
  type LoopWindow,
  toSettleMs,
  windowStart,
  windowUntil,
} from '../measurements/loop-window.ts'
import { measureLoop, measureRooms, measureStation } from '../measurements/measured-loop.ts'
import { newestFlows } from '../measurements/newest-flows.ts'
import { type Readings, readReadings } from '../measurements/readings.ch.ts'
import { readSlotMeans } from '../measurements/slot-means.ch.ts'
import { toLastDay, toSupplyDay } from '../measurements/supply-change.ts'
import { findUnsettled, toRestMs, waitsForFloors, withoutUnsettled } from '../settling/floor-rest.ts'
import { readHeads } from '../settling/head-history.ch.ts'
import { readLastMoves } from '../settling/last-moves.ch.ts'
import { readResponses } from '../settling/responses.ch.ts'
import {
  findRoomRest,
  type RoomRest,
  toDriftSpan,
  toRoomRestMs,
  waitsForRooms,
} from '../settling/room-rest.ts'
import { findSettling, LONGEST_S, STEP_S } from '../settling/settling.ts'
import { isMember } from './members.ts'
import { planRound } from './plan-round.ts'
import { createPlanTurns } from './plan-turns.ts'
import type { Planner, RoundPlan, Verification } from './planner.ts'
import type { FindCulprits, FindInverted, PlannerNeeds } from './planner-needs.ts'
import { findPumpRule } from './pump/pump-rule.ts'
import { estimatesFor, keepEstimates, readMemory } from './round-memory.ts'
import { type FindTrimBase, isSlowTrim } from './trim-base.ts'
import { verifyInSteps } from './verify-round.ts'

/** Metrics that are read to watch a loop, and to plan it. */
const WATCHED: readonly MetricName[] = [
  'heat.flow',
  'temp.return',
  'temp.room',
  'pressure.supply',
  'pressure.return',
  'pressure.diff',
  'pump.target',
]
const PLANNED_FROM: readonly MetricName[] = [
  ...WATCHED,
  'valve.opening',
  'temp.supply',
  'pump.power',
  'temp.outdoor',
]
/** Time in which plans leave out the valves for which a campaign of the loop aborted, ms of plant time. */
const CULPRIT_MS = 14 * DAY_MS
/** In a real plant, plant time is clock time. */
const FIELD_FACTOR = 1
/** The last requested opening replaces the opening of a silent valve. */
const LAST_OPENING: MetricName = 'valve.opening'

interface CreatePlannerNeeds extends PlannerNeeds {
  readonly findTrimBase: FindTrimBase
  readonly findCulprits: FindCulprits
  readonly findInverted: FindInverted
  /** Time constant of the buildings of a loop together; without it the conservative default applies. */
  readonly findTimeConstant?: (loop: Loop) => Promise<TimeConstantOutcome>
}

/** Reads loops from the database and plans their balance; moves nothing. */
export function createPlanner(needs: CreatePlannerNeeds): Planner {
  const { db, clickhouse, clock, network, states } = needs
  /**
   * Plans run one at a time, because a plan takes about 100 ms of CPU for a usual loop and a second for a large one.
   */
  const inTurn = createPlanTurns()
  const findFactor = (): number => needs.timeFactor() ?? FIELD_FACTOR

  /** All readings of a loop in a window, as far back as its slowest device needs. */
  function readWindow(
    { station, consumers }: Loop,
    window: LoopWindow,
    names: readonly MetricName[],
  ): Promise<Readings> {
    const devices = [station, ...consumers, ...consumers.flatMap(({ rooms }) => rooms)]
    const from = devices.reduce((min, { periodS }) => Math.min(min, windowStart(window, periodS)), window.to)
    const ids = devices.map(({ deviceId }) => deviceId)
    return readReadings(clickhouse, ids, names, { from, to: window.to })
  }

  async function measure(loop: Loop, window: LoopWindow) {
    const readings = await readWindow(loop, { ...window, notBefore: 0 }, PLANNED_FROM)
    return measureLoop(loop, readings, window)
  }

  /** Floors that still respond to a move or to a change of the head; a loop without floors reads nothing. */
  async function readUnsettled(
    loop: Loop,
    mode: BalanceMode,
    { to, restMs }: { readonly to: number; readonly restMs: number },
  ): Promise<ReadonlySet<number>> {
    if (!waitsForFloors(mode)) return new Set()
    const floors = loop.consumers.flatMap(({ deviceId, emitter }) => (emitter === 'floor' ? deviceId : []))
    if (floors.length === 0) return new Set()
    const span = { from: Math.floor(to - restMs), to }
    const [movedAt, heads] = await Promise.all([
      readLastMoves(clickhouse, floors, span),
      readHeads(clickhouse, loop.station.deviceId, span),
    ])
    return findUnsettled(loop, movedAt, { to, restMs }, heads)
  }

  /**
   * Rooms that still respond to a move or to a change of the head; undefined for modes that do not wait for rooms.
   */
  async function readRoomRest(
    loop: Loop,
    mode: BalanceMode,
    to: number,
    timeFactor: number,
  ): Promise<RoomRest | undefined> {
    if (!waitsForRooms(mode)) return undefined
    const found = await needs.findTimeConstant?.(loop)
    const time = {
      to,
      timeFactor,
      timeConstantS: found?.kind === 'identified' ? found.timeConstantS : undefined,
    }
    const span = { from: to - toRoomRestMs(time), to }
    const valves = loop.consumers.map(({ deviceId }) => deviceId)
    const rooms = loop.consumers.flatMap((consumer) => consumer.rooms.map(({ deviceId }) => deviceId))
    const [movedAt, heads, means] = await Promise.all([
      readLastMoves(clickhouse, valves, span),
      readHeads(clickhouse, loop.station.deviceId, span),
      readSlotMeans(clickhouse, rooms, ['temp.room'], toDriftSpan(time)),
    ])
    return findRoomRest(loop, { movedAt, heads, means }, time)
  }

  /** Existing places of a sequence's groups. */
  async function findGroupPaths(mode: BalanceMode): Promise<GroupPaths> {
    if (mode.kind !== 'sequence') return []
    const parts = await network.findParts(scopeOfEverything, [
      ...new Set(mode.groups.flatMap(({ nodes }) => nodes)),
    ])
    return mode.groups.map(({ nodes }) => nodes.flatMap((node) => parts.get(node) ?? []))
  }

  /**
   * Valves that wait: in rounds of the proportional loop and of slow trims a valve moves again once its own return
   * has responded to its last move.
   */
  async function findWaiting(
    mode: BalanceMode,
    { consumers }: Loop,
    now: number,
    timeFactor: number,
  ): Promise<ReadonlySet<number>> {
    if (mode.kind !== 'temperature' || mode.method === undefined) return new Set()
    const [stepMs, spanMs] = [STEP_S, LONGEST_S].map((ofPlantS) => Math.ceil((1000 * ofPlantS) / timeFactor))
    const span = { from: now - (spanMs ?? 0), to: now, stepMs: stepMs ?? 1 }
    const longest = new Map(
      consumers.map(({ deviceId, emitter, periodS }) => [
        deviceId,
        emitter === 'floor' ? LONGEST_S : (timeFactor * toSettleMs(timeFactor, periodS)) / 1000,
      ]),
    )
    const longestS = (deviceId: number): number => longest.get(deviceId) ?? LONGEST_S
    const responses = await readResponses(clickhouse, [...longest.keys()], span)
    return findSettling(responses, { now, timeFactor, longestS })
  }

  /** Reads the present state of a loop. Returns a function that plans it for a mode. */
  async function readNow(place: Place, memory?: unknown): Promise<(mode: BalanceMode) => Promise<RoundPlan>> {
    const at = clock.now()
    const timeFactor = findFactor()
    const loop = await readLoop(db, place)
    if (loop.consumers.length === 0) throw new AppError('balance.no-valves', { node: place.nodeName })
    const ids = loop.consumers.map(({ deviceId }) => deviceId)
    const [station, lastDay] = [loop.station.deviceId, toLastDay(at, timeFactor)]
    const [measured, supply, excludedNow, culprits, inverted, pump, accepted] = await Promise.all([
      measure(loop, windowUntil(at, timeFactor)),
      readSlotMeans(clickhouse, [station], ['temp.supply'], lastDay),
      findExclusions(needs, ids),
      needs.findCulprits(place.stationNodeId, Math.floor(at - CULPRIT_MS / timeFactor)),
      needs.findInverted(ids),
      findPumpRule(needs, place, loop),
      needs.findTrimBase(place.stationNodeId),
    ])
    const exclusions: Exclusions = new Map([...culprits, ...toInverted(inverted), ...excludedNow])
    const waited = loop.consumers.filter(
      (consumer) => isMember(consumer, place.nodePath) && !exclusions.has(consumer.deviceId),
    )
    const emitters = new Set(waited.map(({ emitter }) => emitter))
    const slowestS = waited.reduce((max, { periodS }) => Math.max(max, periodS), loop.station.periodS)
    const last = memory === undefined ? undefined : readMemory(memory)
    const estimates =
      estimatesFor(last, loop) ?? keepEstimates(estimatesOf(loop, measured), accepted?.memory, loop)
    const trimBase = accepted && {
      memory: accepted.memory,
      days: ((at - accepted.endedAt) * timeFactor) / DAY_MS,
    }
    const planNow = async (mode: BalanceMode): Promise<RoundPlan> => {
      const unsettled = await readUnsettled(loop, mode, { to: at, restMs: toRestMs(timeFactor) })
      // Flows respond at once, and are balanced by meters alone where there are any.
      const held = mode.kind === 'flow' ? [] : unsettled
      return planRound({
        place,
        mode,
        loop,
        exclusions,
        pump,
        at,
        measured: withoutUnsettled(measured, loop, unsettled),
        estimates,
        records: recordsOf(loop, estimates),
        findOpening: (deviceId) => states.find(deviceId)?.metrics[LAST_OPENING],
        memory: last,
        settleMs: (flows) => toSettleMs(timeFactor, slowestS, findSettlingKind(mode.kind, flows, emitters)),
        groupPaths: await findGroupPaths(mode),
        settling: new Set([...held, ...(await findWaiting(mode, loop, at, timeFactor))]),
        trimBase: isSlowTrim(mode) ? trimBase : undefined,
        roomRest: await readRoomRest(loop, mode, at, timeFactor),
        supplyDay: toSupplyDay(station, lastDay, supply),
      })
    }
    return async (mode) => ({ ...(await planNow(mode)), lateMs: toSettleMs(timeFactor, slowestS) })
  }

  return {
    findPlace: (node) => findPlace(needs, node),

    plan: (place, mode) => inTurn(async () => (await readNow(place))(mode)),

    async planAll(place, modes) {
      const planFrom = await inTurn(() => readNow(place))
      const plans: RoundPlan[] = []
      // One time slice for each mode, so that plans that are due now can run in between.
      for (const mode of modes) plans.push(await inTurn(() => planFrom(mode)))
      return plans
    },

    trim: (place, mode, _last: RoundPlan, verified: Verification) =>
      inTurn(async () => (await readNow(place, verified.memory))(mode)),

    async observe(place, plan, since) {
      const at = clock.now()
      const loop = await readLoop(db, place)
      const window = windowUntil(at, findFactor())
      const readings = await readWindow(loop, window, WATCHED)
      const station = measureStation(loop.station, readings, { ...window, notBefore: since })
      const { headKpa } = known({ headKpa: station.headPa / 1000 })
      const before = readMemory(plan.memory)
      const rooms = measureRooms(loop, readings, window)
      const flowM3H = newestFlows(loop, readings, rooms, { since, to: at, timeFactor: window.timeFactor })
      return { at, flowM3H, headKpa, coldRooms: countColdSince(before.rooms, rooms) }
    },

    async verify(place, mode, plan, since, required) {
      const [to, timeFactor] = [clock.now(), findFactor()]
      const loop = await readLoop(db, place)
      const read = await measure(loop, { ...windowUntil(to, timeFactor), notBefore: since })
      const unsettled = await readUnsettled(loop, mode, { to, restMs: toRestMs(timeFactor, plan.settleMs) })
      const measured = withoutUnsettled(read, loop, unsettled)
      const records = recordsOf(loop, estimatesFor(readMemory(plan.memory), loop))
      return runInSlices(
        verifyInSteps({
          place,
          mode,
          plan,
          loop,
          measured,
          records,
          inverted: await needs.findInverted(loop.consumers.map(({ deviceId }) => deviceId)),
          ...(required ? { required } : {}),
        }),
      )
    },
  }
}
