import type { Clock } from '../../../platform/clock.ts'
import type { DeviceDirectory } from '../../devices/index.ts'

export interface CachedCountingOptions {
  readonly directory: Pick<DeviceDirectory, 'onPlaced'>
  readonly clock: Pick<Clock, 'elapsed' | 'setTimeout'>
}

/** Time for which a result is fresh. Counting 240,000 devices takes some 20 ms, 12,000,000 a second. */
const CACHE_MS = 3_000
/** Delay before a recount in the background, so that callers with a cached result are answered first. */
const LATER_MS = 1_000

/** Returns a result that is at most `maxAgeMs` old. A result that is no longer fresh is recounted in the background. */
export type Count<Counted> = (maxAgeMs?: number) => Promise<Counted>

/**
 * Caches a count over all devices. Only one count runs at a time, and callers wait for it. It restarts if devices were
 * moved meanwhile. `recount` receives the greatest age of the data it may count from: what the caller accepts, or
 * undefined for current data.
 */
export function createCachedCounting<Counted>(
  { directory, clock }: CachedCountingOptions,
  recount: (maxAgeMs?: number) => Promise<Counted>,
): Count<Counted> {
  let cached: { readonly counted: Counted; readonly at: number } | undefined
  let counting: Promise<Counted> | undefined
  let isPlanned = false
  let placings = 0
  // Paths in queries are the current ones. Sums by the former paths of moved devices would be 0.
  directory.onPlaced(() => {
    placings += 1
    cached = undefined
  })

  async function count(maxAgeMs?: number): Promise<Counted> {
    for (;;) {
      const placingsBefore = placings
      const counted = await recount(maxAgeMs)
      if (placings === placingsBefore) {
        cached = { counted, at: clock.elapsed() }
        return counted
      }
    }
  }

  function start(maxAgeMs?: number): Promise<Counted> {
    counting ??= count(maxAgeMs).finally(() => {
      counting = undefined
    })
    return counting
  }

  const ageOfCached = (): number => (cached ? clock.elapsed() - cached.at : Number.POSITIVE_INFINITY)

  function startLater(): void {
    if (isPlanned) return
    isPlanned = true
    clock.setTimeout(() => {
      isPlanned = false
      // Callers that need current data get the error.
      if (ageOfCached() >= CACHE_MS) start().catch(() => undefined)
    }, LATER_MS)
  }

  return async (maxAgeMs = CACHE_MS) => {
    const ageMs = ageOfCached()
    if (!cached || ageMs >= Math.max(CACHE_MS, maxAgeMs)) return start(maxAgeMs)
    if (ageMs >= CACHE_MS) startLater()
    return cached.counted
  }
}
