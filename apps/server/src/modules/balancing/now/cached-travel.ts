import { DAY_MS } from '@isotherm/kernel/durations'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Actuation } from '../measurements/loop-indices.ts'
import { cacheByLoop, type LoopPart } from './cache-by-loop.ts'
import { readTravel } from './valve-travel.ch.ts'

export interface CachedTravelNeeds {
  readonly clickhouse: ClickHouseClient
  readonly clock: Pick<Clock, 'now'>
  /** Time factor of the plant; undefined for a real plant. */
  readonly timeFactor: () => number | undefined
  readonly log: Pick<Log, 'warn'>
}

/** Valve travel is computed over a plant week, and not reported for less than a day. */
const SPAN_DAYS = 7
const MIN_DAYS = 1
/** A page asks every ten seconds, and a week has about 200,000 readings of a usual loop. */
const CACHE_MS = 300_000

/**
 * Recent travel of the valves of a loop, by consumer, cached for some minutes. Live values do not depend on it: they
 * are served also when ClickHouse does not answer.
 */
export function createCachedTravel({ clickhouse, clock, timeFactor, log }: CachedTravelNeeds) {
  const find = cacheByLoop(
    { clock, cacheMs: () => CACHE_MS },
    async ({ consumers }: LoopPart): Promise<Actuation | undefined> => {
      const now = clock.now()
      const dayMs = DAY_MS / (timeFactor() ?? 1)
      const deviceIds = consumers.map(({ deviceId }) => deviceId)
      const from = Math.floor(now - SPAN_DAYS * dayMs)
      const { byDevice, since } = await readTravel(clickhouse, deviceIds, { from, to: now })
      const days = since === undefined ? 0 : (now - since) / dayMs
      if (days < MIN_DAYS) return undefined
      const of = (name: 'moves' | 'strokes') =>
        Float64Array.from(deviceIds, (deviceId) => byDevice.get(deviceId)?.[name] ?? Number.NaN)
      return { moves: of('moves'), travel: of('strokes'), days }
    },
  )
  return async (part: LoopPart): Promise<Actuation | undefined> => {
    try {
      return await find(part)
    } catch (err) {
      log.warn({ err, station: part.station.deviceId }, 'could not read the travel of valves')
      return undefined
    }
  }
}
