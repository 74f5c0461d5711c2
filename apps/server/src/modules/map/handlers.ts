import type { mapEndpoints } from '@isotherm/contract/endpoints/network/map'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { MapService } from './service.ts'

export type MapHandlers = HandlersOf<keyof typeof mapEndpoints>

export const createMapHandlers = (map: MapService): MapHandlers => ({
  getMapTile: (input, call) => map.getTile(call, input),
  getMapExtent: (input, call) => map.getExtent(call, input),
  getMapPlaces: (input, call) => map.listPlaces(call, input),
  getMapPlace: (input, call) => map.getPlace(call, input),
  getMapBase: (_input, call) => map.getBase(call),
  getMapGroundFile: (input, call) => map.openGroundFile(call, input),
})
