import type { BalanceNow, BalanceTrend } from '@isotherm/contract/balancing/balance-now'
import { maxBucketDays } from '@isotherm/contract/endpoints/monitoring/history'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Log } from '../../../platform/log.ts'
import { covers, type Scope } from '../../../platform/scope/scope.ts'
import { findExclusions } from '../loop/exclusions.ts'
import type { Loop } from '../loop/loop.ts'
import { readLoop } from '../loop/loop-place.ts'
import type { Place } from '../loop/place.ts'
import { returnOffsetOf } from '../loop/return-offsets.ts'
import { findLossesNow } from '../measurements/losses-now.ts'
import { areasOf } from '../plan/members.ts'
import type { PlannerNeeds } from '../plan/planner-needs.ts'
import { toBalanceNow } from './balance-now.ts'
import { cacheByLoop } from './cache-by-loop.ts'
import { createCachedTravel } from './cached-travel.ts'
import { readReturns } from './trend.ch.ts'
import { toSlotMs, toTrend } from './trend.ts'

/** A half-open range of time, Unix ms. */
export interface TrendRange {
  readonly from: number
  readonly to: number
}

/** Present and past balance of a place; valves outside the scope are omitted. */
export interface BalanceReader {
  getBalance(place: Place, scope: Scope): Promise<BalanceNow>
  /** Throws request.malformed for an invalid range, history.range-too-large. */
  getTrend(place: Place, range: TrendRange, scope: Scope): Promise<BalanceTrend>
}

/** How long estimated pressure losses are cached: an estimate for some hundreds of valves takes about 50 ms. */
const CACHE_LOSSES_MS = MINUTE_MS
const MAX_DAYS = maxBucketDays.hour

function checkRange({ from, to }: TrendRange): void {
  if (to <= from) throw new AppError('request.malformed', { detail: 'to: must be after from' })
  if (to - from > MAX_DAYS * DAY_MS) throw new AppError('history.range-too-large', { maxDays: MAX_DAYS })
}

/** The part of a loop below a node and within a scope, with the areas behind its valves. */
function selectPart(loop: Loop, { nodePath }: Place, scope: Scope) {
  const areaM2 = areasOf(loop)
  const isInside = loop.consumers.map(
    ({ path, deviceId }) => path.startsWith(nodePath) && covers(scope, `${path}d${deviceId}/`),
  )
  /** Values of the part, from values by consumer of the whole loop. */
  const pick = (values: Float64Array): Float64Array => values.filter((_, index) => isInside[index])
  return {
    whole: loop,
    loop: { ...loop, consumers: loop.consumers.filter((_, index) => isInside[index]) },
    areaM2: pick(areaM2),
    pick,
  }
}

export function createBalanceReader(needs: PlannerNeeds & { readonly log: Log }): BalanceReader {
  const { db, clickhouse, clock, states } = needs
  const findTravel = createCachedTravel(needs)
  const findLosses = cacheByLoop({ clock, cacheMs: () => CACHE_LOSSES_MS }, async (loop: Loop) =>
    findLossesNow(loop, states.find),
  )
  const readPart = async (place: Place, scope: Scope) => selectPart(await readLoop(db, place), place, scope)

  return {
    async getBalance(place, scope) {
      const { whole, loop, areaM2, pick } = await readPart(place, scope)
      const ids = loop.consumers.map(({ deviceId }) => deviceId)
      // Losses need the whole loop: the flow of every valve changes the head of all others.
      const [exclusions, travel, losses] = await Promise.all([
        findExclusions(needs, ids),
        findTravel(whole),
        findLosses(whole),
      ])
      const now = toBalanceNow(loop, areaM2, exclusions, states.find, {
        losses: losses && { pathPa: pick(losses.pathPa), loopPa: pick(losses.loopPa) },
        actuation: travel && { ...travel, moves: pick(travel.moves), travel: pick(travel.travel) },
      })
      const { path, deviceId } = whole.station
      const controller = covers(scope, `${path}d${deviceId}/`) ? { stationDeviceId: deviceId } : {}
      return { node: place.node, stationName: place.stationName, ...controller, ...now }
    },

    async getTrend(place, range, scope) {
      checkRange(range)
      const { loop, areaM2 } = await readPart(place, scope)
      const valves = new Map(
        loop.consumers.map(({ deviceId, emitter }, index) => [
          deviceId,
          { areaM2: areaM2[index] ?? 0, offsetK: returnOffsetOf(emitter) },
        ]),
      )
      const slotMs = toSlotMs(range)
      const means = await readReturns(clickhouse, { ...range, deviceIds: [...valves.keys()], slotMs })
      return toTrend(means, valves, { from: range.from, slotMs })
    },
  }
}
