import type { Clock, Timer } from '../../platform/clock.ts'
import type { Signals } from '../../platform/signals/signals.ts'

/** It is told no more often than this, ms: an import places thousands one after the other. */
const GATHER_MS = 1_000

/** Tells that places changed, whichever replica changed them. */
export function createPlaceNews(signals: Pick<Signals, 'listen'>, clock: Pick<Clock, 'setTimeout'>) {
  const heard = new Set<() => void>()
  let timer: Timer | undefined

  const stopListening = signals.listen('places_changed', () => {
    timer ??= clock.setTimeout(() => {
      timer = undefined
      for (const listener of heard) listener()
    }, GATHER_MS)
  })

  return {
    /** Calls `listener` when places changed, once a second at most. Returns how to stop. */
    onPlaces(listener: () => void): () => void {
      heard.add(listener)
      return () => heard.delete(listener)
    },
    close(): void {
      stopListening()
      timer?.cancel()
    },
  }
}
