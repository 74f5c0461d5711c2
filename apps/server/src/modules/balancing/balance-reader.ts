import type { BalanceNow, BalanceTrend } from '@isotherm/contract/balance-now'
import { maxBucketDays } from '@isotherm/contract/endpoints/history'
import { AppError } from '../../platform/app-error.ts'
import { covers, type Scope } from '../../platform/scope.ts'
import { toBalanceNow } from './balance-now.ts'
import { findExclusions } from './exclusions.ts'
import type { Loop } from './loop.ts'
import { readLoop } from './loop-place.ts'
import { areasOf } from './members.ts'
import type { Place } from './planner.ts'
import type { PlannerNeeds } from './planner-needs.ts'
import { readReturns } from './trend.ch.ts'
import { toSlotMs, toTrend } from './trend.ts'

/** A half-open range of time, Unix ms. */
export interface TrendRange {
  readonly from: number
  readonly to: number
}

/** How balanced a place is; of valves that the scope does not cover nothing is said. */
export interface BalanceReader {
  getBalance(place: Place, scope: Scope): Promise<BalanceNow>
  /** Throws request.malformed for a range that is none, history.range-too-large. */
  getTrend(place: Place, range: TrendRange, scope: Scope): Promise<BalanceTrend>
}

const MAX_DAYS = maxBucketDays.hour
const DAY_MS = 86_400_000

function checkRange({ from, to }: TrendRange): void {
  if (to <= from) throw new AppError('request.malformed', { detail: 'to: must be after from' })
  if (to - from > MAX_DAYS * DAY_MS) throw new AppError('history.range-too-large', { maxDays: MAX_DAYS })
}

/** The part of a loop below a node that a scope covers, with the areas behind its valves. */
function seenPart(loop: Loop, { nodePath }: Place, scope: Scope) {
  const areaM2 = areasOf(loop)
  const isSeen = loop.consumers.map(
    ({ path, deviceId }) => path.startsWith(nodePath) && covers(scope, `${path}d${deviceId}/`),
  )
  return {
    loop: { ...loop, consumers: loop.consumers.filter((_, index) => isSeen[index]) },
    areaM2: areaM2.filter((_, index) => isSeen[index]),
  }
}

export function createBalanceReader(needs: PlannerNeeds): BalanceReader {
  const { db, clickhouse, states } = needs
  const readPart = async (place: Place, scope: Scope) => seenPart(await readLoop(db, place), place, scope)

  return {
    async getBalance(place, scope) {
      const { loop, areaM2 } = await readPart(place, scope)
      const ids = loop.consumers.map(({ deviceId }) => deviceId)
      const now = toBalanceNow(loop, areaM2, await findExclusions(needs, ids), states.find)
      return { node: place.node, stationName: place.stationName, ...now }
    },

    async getTrend(place, range, scope) {
      checkRange(range)
      const { loop, areaM2 } = await readPart(place, scope)
      const deviceIds = loop.consumers.map(({ deviceId }) => deviceId)
      const slotMs = toSlotMs(range)
      const means = await readReturns(clickhouse, { ...range, deviceIds, slotMs })
      const areaOf = new Map(deviceIds.map((deviceId, index) => [deviceId, areaM2[index] ?? 0]))
      return toTrend(means, areaOf, { from: range.from, slotMs })
    },
  }
}
