import { identifyTimeConstant, type TimeConstantOutcome } from '@isotherm/balancing/rooms/time-constant'
import type { MetricName } from '@isotherm/contract/metrics'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { ClickHouseClient } from '../../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { readSlotMeans } from '../../measurements/slot-means.ch.ts'
import { cacheByLoop, type LoopPart } from '../../now/cache-by-loop.ts'
import { toRoomHistory } from './room-history.ts'

export interface TimeConstantNeeds {
  readonly clickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  /** Time factor of the plant; undefined for a real plant. */
  readonly timeFactor: () => number | undefined
}

/** Time constant of the buildings behind consumers of a station. */
export type FindTimeConstant = (part: LoopPart) => Promise<TimeConstantOutcome>

/** Two plant weeks by hours: walls respond over days, and the history must not span seasons. */
const SLOTS = 14 * 24
const NEEDED: readonly MetricName[] = ['temp.room', 'temp.outdoor', 'heat.flow', 'temp.supply', 'temp.return']
/** Maximum number of valves and of rooms: more do not improve the mean of a group. */
const MAX_OF_EACH = 60
/**
 * Cache time: walls do not change. New readings are added after some plant hours, and at most this often, ms.
 */
const CACHE_HOURS = 6
const MIN_CACHE_MS = 300_000

/** At most this many items of a list, evenly distributed. */
const pick = <Item>(items: readonly Item[], max: number): readonly Item[] =>
  items.length <= max
    ? items
    : Array.from({ length: max }, (_, index) => items[Math.floor((index * items.length) / max)]).flatMap(
        (item) => (item === undefined ? [] : [item]),
      )

/** Identifies time constants from stored readings, and caches them. */
export function createTimeConstants({ clickhouse, clock, timeFactor }: TimeConstantNeeds): FindTimeConstant {
  async function identify({ station, consumers: all }: LoopPart): Promise<TimeConstantOutcome> {
    const consumers = pick(all, MAX_OF_EACH)
    const perValve = Math.max(1, Math.ceil(MAX_OF_EACH / Math.max(1, consumers.length)))
    const seen = consumers.map((consumer) => ({ ...consumer, rooms: pick(consumer.rooms, perValve) }))
    const rooms = seen.flatMap((consumer) => consumer.rooms)
    if (rooms.length === 0) return { kind: 'not-measured' }
    const slotMs = Math.max(1, Math.round(HOUR_MS / (timeFactor() ?? 1)))
    const to = clock.now()
    const devices = [station, ...seen, ...rooms]
    const means = await readSlotMeans(
      clickhouse,
      devices.map(({ deviceId }) => deviceId),
      NEEDED,
      { from: to - SLOTS * slotMs, to, slotMs },
    )
    const slot = { count: SLOTS, stepS: HOUR_MS / 1000 }
    return identifyTimeConstant(toRoomHistory(station.deviceId, seen, means, slot))
  }
  const cacheMs = () => Math.max(MIN_CACHE_MS, (CACHE_HOURS * HOUR_MS) / (timeFactor() ?? 1))
  const find = cacheByLoop({ clock, cacheMs }, identify)
  return async (part) => (await find(part)) ?? { kind: 'not-measured' }
}
