import type { Clock } from '../../platform/clock.ts'
import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import { createMapHandlers, type MapHandlers } from './handlers.ts'
import { createPlaceEvents } from './map-events.ts'
import { createMapService, type MapServiceNeeds } from './service.ts'

export { checkMapFiles } from './ground/check-map-files.ts'

/** The map module for the composition root. */
export interface NetworkMap {
  readonly handlers: MapHandlers
  /** Calls `notify` when places on the map changed, on any replica. Returns the function that unsubscribes. */
  onPlaces(notify: () => void): () => void
  close(): void
}

export function createMap({
  signals,
  clock,
  ...needs
}: MapServiceNeeds & { readonly signals: Pick<Signals, 'listen'>; readonly clock: Clock }): NetworkMap {
  const { onPlaces, close } = createPlaceEvents(signals, clock)
  return { handlers: createMapHandlers(createMapService(needs)), onPlaces, close }
}

export interface MapDependencies
  extends Pick<ServerResources, 'config' | 'db' | 'clock' | 'signals'>,
    Pick<MapServiceNeeds, 'network' | 'telemetry'> {}

/** The map of placed nodes. */
export const mapModule = {
  create: ({ config, db, clock, signals, network, telemetry }: MapDependencies) =>
    createMap({
      signals,
      clock,
      network,
      telemetry,
      db,
      tiles: config.mapTiles,
      groundFolder: config.mapFolder,
    }),
} satisfies ServerModule
