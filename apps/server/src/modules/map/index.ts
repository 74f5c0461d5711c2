import type { Clock } from '../../platform/clock.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import { createMapHandlers, type MapHandlers } from './handlers.ts'
import { createPlaceNews } from './map-events.ts'
import { createMapService, type MapServiceNeeds } from './service.ts'

/** Everything the map offers to the composition root. */
export interface NetworkMap {
  readonly handlers: MapHandlers
  /** Calls `heard` when nodes were placed, moved or taken off the map, on whichever replica. Returns how to stop. */
  onPlaces(heard: () => void): () => void
  close(): void
}

export function createMap({
  signals,
  clock,
  ...needs
}: MapServiceNeeds & { readonly signals: Pick<Signals, 'listen'>; readonly clock: Clock }): NetworkMap {
  const { onPlaces, close } = createPlaceNews(signals, clock)
  return { handlers: createMapHandlers(createMapService(needs)), onPlaces, close }
}
