import type { Clock } from '../../../platform/clock.ts'
import type { LoopSensor } from '../loop/loop.pg.ts'
import type { LoopConsumer } from '../loop/loop.ts'

interface Cached<Found> {
  readonly at: number
  readonly found: Promise<Found | undefined>
}

/** A station and some or all consumers of its loop. */
export interface LoopPart {
  readonly station: Pick<LoopSensor, 'deviceId'>
  readonly consumers: readonly PartConsumer[]
}

/** The facts of a consumer that its stored readings depend on. */
export interface PartConsumer extends Pick<LoopConsumer, 'deviceId' | 'areaM2'> {
  readonly rooms: readonly Pick<LoopSensor, 'deviceId'>[]
}

/** Caches results for a loop or a part of it for some time. Empty results and failures are not cached. */
export function cacheByLoop<Part extends LoopPart, Found>(
  { clock, cacheMs }: { readonly clock: Pick<Clock, 'now'>; readonly cacheMs: () => number },
  find: (part: Part) => Promise<Found | undefined>,
): (part: Part) => Promise<Found | undefined> {
  const cache = new Map<string, Cached<Found>>()
  return async (part) => {
    const now = clock.now()
    for (const [key, { at }] of cache) if (now - at >= cacheMs()) cache.delete(key)
    const key = [part.station, ...part.consumers].map(({ deviceId }) => deviceId).join()
    const last = cache.get(key)
    if (last) return last.found
    const own: Cached<Found> = { at: now, found: find(part) }
    cache.set(key, own)
    const forget = () => {
      if (cache.get(key) === own) cache.delete(key)
    }
    own.found.then((found) => {
      if (found === undefined) forget()
    }, forget)
    return own.found
  }
}
