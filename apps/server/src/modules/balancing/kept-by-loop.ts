import type { Clock } from '../../platform/clock.ts'
import type { Loop } from './loop.ts'

interface Kept<Found> {
  readonly at: number
  readonly consumers: string
  readonly found: Promise<Found | undefined>
}

/** What is found of a loop, kept for some time as long as it has the same consumers; nothing that was not found or failed. */
export function keepByLoop<Found>(
  { clock, keepMs }: { readonly clock: Pick<Clock, 'now'>; readonly keepMs: number },
  find: (loop: Loop) => Promise<Found | undefined>,
): (loop: Loop) => Promise<Found | undefined> {
  const kept = new Map<number, Kept<Found>>()
  return async (loop) => {
    const now = clock.now()
    for (const [deviceId, { at }] of kept) if (now - at >= keepMs) kept.delete(deviceId)
    const { deviceId } = loop.station
    const consumers = loop.consumers.map((consumer) => consumer.deviceId).join()
    const last = kept.get(deviceId)
    if (last?.consumers === consumers) return last.found
    const own: Kept<Found> = { at: now, consumers, found: find(loop) }
    kept.set(deviceId, own)
    const forget = () => {
      if (kept.get(deviceId) === own) kept.delete(deviceId)
    }
    own.found.then((found) => {
      if (found === undefined) forget()
    }, forget)
    return own.found
  }
}
