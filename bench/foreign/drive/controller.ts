import { identifyTimeConstant } from '@isotherm/balancing/rooms/time-constant'
import type { BalanceMode } from '@isotherm/contract/balancing/campaign'
import { USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { type Exclusions, toInverted } from '../../../apps/server/src/modules/balancing/loop/exclusions.ts'
import { known } from '../../../apps/server/src/modules/balancing/loop/known.ts'
import type { Loop } from '../../../apps/server/src/modules/balancing/loop/loop.ts'
import { estimatesOf, recordsOf } from '../../../apps/server/src/modules/balancing/loop/records.ts'
import { countColdSince } from '../../../apps/server/src/modules/balancing/measurements/cold-rooms.ts'
import {
  findSettlingKind,
  type LoopWindow,
  toSettleMs,
  windowStart,
  windowUntil,
} from '../../../apps/server/src/modules/balancing/measurements/loop-window.ts'
import {
  measureLoop,
  measureRooms,
  measureStation,
  STILL_PCT,
} from '../../../apps/server/src/modules/balancing/measurements/measured-loop.ts'
import { newestFlows } from '../../../apps/server/src/modules/balancing/measurements/newest-flows.ts'
import {
  toLastDay,
  toSupplyDay,
} from '../../../apps/server/src/modules/balancing/measurements/supply-change.ts'
import { planRound } from '../../../apps/server/src/modules/balancing/plan/plan-round.ts'
import type { Planner, RoundPlan } from '../../../apps/server/src/modules/balancing/plan/planner.ts'
import { NO_CONTROL, type PumpRule } from '../../../apps/server/src/modules/balancing/plan/pump/pump-rule.ts'
import { requireIdentified } from '../../../apps/server/src/modules/balancing/plan/require-identified.ts'
import {
  estimatesFor,
  keepEstimates,
  readMemory,
} from '../../../apps/server/src/modules/balancing/plan/round-memory.ts'
import { isSlowTrim } from '../../../apps/server/src/modules/balancing/plan/trim-base.ts'
import { verifyInSteps } from '../../../apps/server/src/modules/balancing/plan/verify-round.ts'
import {
  findUnsettled,
  toRestMs,
  waitsForFloors,
  withoutUnsettled,
} from '../../../apps/server/src/modules/balancing/settling/floor-rest.ts'
import {
  findRoomRest,
  toDriftSpan,
  toRoomRestMs,
  waitsForRooms,
} from '../../../apps/server/src/modules/balancing/settling/room-rest.ts'
import { findSettling, LONGEST_S } from '../../../apps/server/src/modules/balancing/settling/settling.ts'
import { toRoomHistory } from '../../../apps/server/src/modules/balancing/strategies/rooms/room-history.ts'
import { runInSlices } from '../../../apps/server/src/platform/tasks/turns/run-in-slices.ts'
import { reportedPct, type Site } from '../plant/site.ts'
import type { DoneRound } from './campaign.ts'
import { culpritsOf } from './culprits.ts'
import { nowOf, readResponsesSince, readSince, readSlots } from './readings.ts'
import {
  buildingOf,
  invertedOf,
  place,
  type RecordChanges,
  registerLoop,
  STATION_ID,
  valveId,
} from './registry.ts'

/** A real plant: plant time is clock time. */
const FACTOR = 1
/** History from which the time constant is identified, in hourly means. */
const HISTORY_H = 14 * 24
const DAY_S = 24 * 3600

/** The last round of the last accepted campaign, and when that was accepted, s since the start of the plant. */
export interface AcceptedRound {
  readonly plan: Pick<RoundPlan, 'memory'>
  readonly endedS: number
}

/** The part of the server's planner that needs no database. */
export type ForeignPlanner = Pick<Planner, 'observe' | 'verify'> & {
  readonly loop: Loop
  /** Time constant of all buildings together now, s; undefined if it is not identified. */
  findTimeConstantS(): number | undefined
  /** `earlier`: the rounds so far. The valves that caused an abort are excluded. */
  plan(mode: BalanceMode, earlier: readonly DoneRound[], base?: AcceptedRound): Promise<RoundPlan>
  /** The round after a verified one, by its memory. */
  trim(mode: BalanceMode, earlier: readonly DoneRound[], memory: unknown): Promise<RoundPlan>
}

export interface PlannerOptions {
  readonly maySetPump?: boolean
  /** Time for which an identified time constant is cached, ms. */
  readonly cacheMs?: number
}

/**
 * The server's planner on readings in memory. It composes the same functions in the same order as
 * `apps/server/src/modules/balancing/plan/create-planner.ts`, which reads them from the stores. A change there belongs
 * here too.
 */
export function createForeignPlanner(
  site: Site,
  changes: RecordChanges,
  { maySetPump = false, cacheMs = 0 }: PlannerOptions = {},
): ForeignPlanner {
  const loop: Loop = registerLoop(site, changes)
  const findAbsent = (): Exclusions =>
    new Map([...site.instruments.faults.offline].map((building) => [valveId(building), 'absent']))
  const pump: PumpRule = maySetPump ? { kind: 'may-set', limits: USUAL_PUMP_LIMITS } : NO_CONTROL
  const slowestS = Math.max(...loop.consumers.map(({ periodS }) => periodS))

  const readWindow = (window: LoopWindow) => readSince(site, windowStart(window, slowestS))

  const measure = (window: LoopWindow) => measureLoop(loop, readWindow({ ...window, notBefore: 0 }), window)

  /** When each valve that moved since `from` last had another opening, Unix ms; and the heads of the pump. */
  function readMoves(from: number) {
    const readings = readSince(site, from)
    const movedAt = new Map(
      loop.consumers.flatMap(({ deviceId }): [number, number][] => {
        const { ts, value } = readings(deviceId, 'valve.opening')
        const now = value.at(-1) ?? 0
        const last = value.findLastIndex((shown) => Math.abs(shown - now) > STILL_PCT)
        return last >= 0 ? [[deviceId, ts[last] ?? 0]] : []
      }),
    )
    return { movedAt, heads: readings(STATION_ID, 'pump.target') }
  }

  /** Floors that still respond to a move or to a change of the head. */
  function findWaitingFloors(mode: BalanceMode, to: number, restMs: number): ReadonlySet<number> {
    const hasFloors = loop.consumers.some(({ emitter }) => emitter === 'floor')
    if (!hasFloors || !waitsForFloors(mode)) return new Set()
    const { movedAt, heads } = readMoves(to - restMs)
    return findUnsettled(loop, movedAt, { to, restMs }, heads)
  }

  let cached: { readonly at: number; readonly seconds: number | undefined } | undefined
  /** Time constant of all buildings together, s; undefined if it is not identified. */
  function findTimeConstantS(to = nowOf(site)): number | undefined {
    if (cached && to < cached.at + cacheMs) return cached.seconds
    const means = readSlots(site, { from: to - HISTORY_H * HOUR_MS, to, slotMs: HOUR_MS })
    const slot = { count: HISTORY_H, stepS: HOUR_MS / 1000 }
    const found = identifyTimeConstant(toRoomHistory(STATION_ID, loop.consumers, means, slot))
    cached = { at: to, seconds: found.kind === 'identified' ? found.timeConstantS : undefined }
    return cached.seconds
  }

  /** Rooms that still respond to moves. */
  function findMovingRooms(mode: BalanceMode, to: number) {
    if (!waitsForRooms(mode)) return undefined
    const time = { to, timeFactor: FACTOR, timeConstantS: findTimeConstantS(to) }
    const moves = readMoves(to - toRoomRestMs(time))
    return findRoomRest(loop, { ...moves, means: readSlots(site, toDriftSpan(time)) }, time)
  }

  /** Valves of a proportional round whose own return still responds. */
  function findResponding(mode: BalanceMode, now: number): ReadonlySet<number> {
    if (mode.kind !== 'temperature' || mode.method === undefined) return new Set()
    const longest = new Map(
      loop.consumers.map(({ deviceId, emitter, periodS }) => [
        deviceId,
        emitter === 'floor' ? LONGEST_S : toSettleMs(FACTOR, periodS) / 1000,
      ]),
    )
    return findSettling(readResponsesSince(site, now - 1000 * LONGEST_S), {
      now,
      timeFactor: FACTOR,
      longestS: (deviceId) => longest.get(deviceId) ?? LONGEST_S,
    })
  }

  async function planNow(
    mode: BalanceMode,
    earlier: readonly DoneRound[],
    memory?: unknown,
    base?: AcceptedRound,
  ): Promise<RoundPlan> {
    const at = nowOf(site)
    const lastDay = toLastDay(at, FACTOR)
    const exclusions: Exclusions = new Map([
      ...culpritsOf(earlier),
      ...toInverted(invertedOf(site)),
      ...findAbsent(),
    ])
    const measured = measure(windowUntil(at, FACTOR))
    const last = memory === undefined ? undefined : readMemory(memory)
    const accepted = base && readMemory(base.plan.memory)
    const estimates = estimatesFor(last, loop) ?? keepEstimates(estimatesOf(loop, measured), accepted, loop)
    const unsettled = findWaitingFloors(mode, at, toRestMs(FACTOR))
    const emitters = new Set(
      loop.consumers.filter(({ deviceId }) => !exclusions.has(deviceId)).map(({ emitter }) => emitter),
    )
    const plan = await planRound({
      place,
      mode,
      loop,
      exclusions,
      pump,
      at,
      estimates,
      records: recordsOf(loop, estimates),
      measured: withoutUnsettled(measured, loop, unsettled),
      findOpening: (deviceId) => reportedPct(site, buildingOf(deviceId)),
      memory: last,
      settleMs: (flows) => toSettleMs(FACTOR, slowestS, findSettlingKind(mode.kind, flows, emitters)),
      groupPaths: [],
      roomRest: findMovingRooms(mode, at),
      supplyDay: toSupplyDay(STATION_ID, lastDay, readSlots(site, lastDay)),
      trimBase:
        isSlowTrim(mode) && base && accepted
          ? {
              memory: accepted,
              days: (site.plant.timeS - base.endedS) / DAY_S,
            }
          : undefined,
      settling: new Set([...(mode.kind === 'flow' ? [] : unsettled), ...findResponding(mode, at)]),
    })
    requireIdentified(plan)
    return { ...plan, lateMs: toSettleMs(FACTOR, slowestS) }
  }

  return {
    loop,
    findTimeConstantS,
    plan: (mode, earlier, base) => planNow(mode, earlier, undefined, base),
    trim: planNow,

    async observe(_place, plan, since) {
      const at = nowOf(site)
      const window = windowUntil(at, FACTOR)
      const readings = readWindow(window)
      const station = measureStation(loop.station, readings, { ...window, notBefore: since })
      const { headKpa } = known({ headKpa: station.headPa / 1000 })
      const rooms = measureRooms(loop, readings, window)
      const flowM3H = newestFlows(loop, readings, rooms, { since, to: at, timeFactor: FACTOR })
      return { at, flowM3H, headKpa, coldRooms: countColdSince(readMemory(plan.memory).rooms, rooms) }
    },

    async verify(_place, mode, plan, since) {
      const to = nowOf(site)
      const read = measure({ ...windowUntil(to, FACTOR), notBefore: since })
      const unsettled = findWaitingFloors(mode, to, toRestMs(FACTOR, plan.settleMs))
      const measured = withoutUnsettled(read, loop, unsettled)
      const records = recordsOf(loop, estimatesFor(readMemory(plan.memory), loop))
      return runInSlices(
        verifyInSteps({ place, mode, plan, loop, records, measured, inverted: invertedOf(site) }),
      )
    },
  }
}
