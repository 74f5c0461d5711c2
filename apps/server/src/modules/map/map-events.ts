import type { Clock, Timer } from '../../platform/clock.ts'
import type { Signals } from '../../platform/signals/signals.ts'

/** Changes within this time cause one notification, ms: an import places thousands of nodes one after another. */
const COLLECT_MS = 1_000

/** Notifies listeners of changed places, from any replica. */
export function createPlaceEvents(signals: Pick<Signals, 'listen'>, clock: Pick<Clock, 'setTimeout'>) {
  const listeners = new Set<() => void>()
  let timer: Timer | undefined

  const stopListening = signals.listen('places_changed', () => {
    timer ??= clock.setTimeout(() => {
      timer = undefined
      for (const listener of listeners) listener()
    }, COLLECT_MS)
  })

  return {
    /** Calls `listener` when places changed, at most once a second. Returns the function that unsubscribes. */
    onPlaces(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close(): void {
      stopListening()
      timer?.cancel()
    },
  }
}
