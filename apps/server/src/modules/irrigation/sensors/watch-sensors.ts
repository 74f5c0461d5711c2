import type { Devices } from '../../devices/index.ts'
import { handOverParts, requireDetached } from './attached.pg.ts'
import { guardModels, requireSuitedReplacements } from './suited.pg.ts'

/**
 * Watches changes of the registry: a sensor of irrigation is neither retired, removed nor moved away, and the one that replaces it
 * takes its place. Neither this one nor another model may lack what the sensor is there for. Returns a function that ends this.
 */
export function watchSensors(
  changes: Pick<Devices['changes'], 'onRetiring' | 'onLeaving' | 'onModel'>,
): () => void {
  const stops = [
    changes.onRetiring(async (transaction, { ids, reason }) => {
      if (reason === 'retired') return requireDetached(transaction, { ids, how: 'retired' })
      await handOverParts(transaction, ids)
      await requireSuitedReplacements(transaction, ids)
    }),
    changes.onLeaving(requireDetached),
    changes.onModel(guardModels),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
