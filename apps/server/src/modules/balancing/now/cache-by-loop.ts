import type { Clock } from '../../../platform/clock.ts'
import type { LoopSensor } from '../loop/loop.pg.ts'
import type { LoopConsumer } from '../loop/loop.ts'

interface Kept<Found> {
  readonly at: number
  readonly found: Promise<Found | undefined>
}

/** A station and some or all of the consumers of its loop. */
export interface LoopPart {
  readonly station: Pick<LoopSensor, 'deviceId'>
  readonly consumers: readonly PartConsumer[]
}

/** A consumer as far as what was stored of it is concerned. */
export interface PartConsumer extends Pick<LoopConsumer, 'deviceId' | 'areaM2'> {
  readonly rooms: readonly Pick<LoopSensor, 'deviceId'>[]
}

/** What is found of a loop or a part of it, kept for some time; nothing that was not found or failed. */
export function keepByLoop<Part extends LoopPart, Found>(
  { clock, keepMs }: { readonly clock: Pick<Clock, 'now'>; readonly keepMs: () => number },
  find: (part: Part) => Promise<Found | undefined>,
): (part: Part) => Promise<Found | undefined> {
  const kept = new Map<string, Kept<Found>>()
  return async (part) => {
    const now = clock.now()
    for (const [key, { at }] of kept) if (now - at >= keepMs()) kept.delete(key)
    const key = [part.station, ...part.consumers].map(({ deviceId }) => deviceId).join()
    const last = kept.get(key)
    if (last) return last.found
    const own: Kept<Found> = { at: now, found: find(part) }
    kept.set(key, own)
    const forget = () => {
      if (kept.get(key) === own) kept.delete(key)
    }
    own.found.then((found) => {
      if (found === undefined) forget()
    }, forget)
    return own.found
  }
}
