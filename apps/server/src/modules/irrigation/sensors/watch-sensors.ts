import type { Devices } from '../../devices/index.ts'
import { handOverParts, requireDetached } from './attached.pg.ts'

/**
 * Watches changes of the registry: a sensor of irrigation is neither retired, removed nor moved away, and the one that replaces it
 * takes its place. Returns a function that ends this.
 */
export function watchSensors(changes: Pick<Devices['changes'], 'onRetiring' | 'onLeaving'>): () => void {
  const stops = [
    changes.onRetiring((transaction, { ids, reason }) =>
      reason === 'replaced'
        ? handOverParts(transaction, ids)
        : requireDetached(transaction, { ids, how: 'retired' }),
    ),
    changes.onLeaving(requireDetached),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
