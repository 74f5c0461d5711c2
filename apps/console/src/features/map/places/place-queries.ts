import {
  getMapBase,
  getMapExtent,
  getMapPlace,
  getMapPlaces,
  getMapTile,
} from '@isotherm/contract/endpoints/network/map'
import type { MapCoordinates, MapMetric, MapTiles } from '@isotherm/contract/network/map'
import type { MapGround } from '@isotherm/contract/network/map-ground'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import type { ListOrder } from '../view/map-url.ts'
import type { Bounds, TileId } from '../view/mercator.ts'
import { isSameExceptBox } from './shown-picture.ts'

export const mapKeys = {
  all: ['map'],
  /** Invalidated when a node is placed, moved or removed. */
  places: ['map', 'places'],
} as const

/** Poll period of map values, ms: devices report every few minutes. */
const POLL_MS = 30_000
/** Maximum number of rows of the list. For others, the user zooms in or selects less. */
const MAX_LISTED = 200

/** The subject of the map. */
export interface MapSubject {
  /** Roots of the subtrees. None: all that the user may see. */
  readonly nodes: readonly NodeKey[]
  readonly coordinates: MapCoordinates
}

/** The base map. */
export interface MapBase {
  /** Tiles; null with map files, which take their place. */
  readonly tiles: MapTiles | null
  readonly ground: MapGround
  /** Coordinates of what is drawn: map files are in WGS-84. */
  readonly coordinates: MapCoordinates
}

function toBase({ tiles, ground }: z.infer<typeof getMapBase.output>): MapBase {
  if (ground.files.length > 0) return { tiles: null, ground, coordinates: 'wgs84' }
  return { tiles, ground, coordinates: tiles?.coordinates ?? 'wgs84' }
}

/** The sources of the base map, as they are when the page opens. */
export const baseQuery = () =>
  queryOptions({
    queryKey: [...mapKeys.all, 'base'],
    queryFn: async ({ signal }) => toBase(await call(getMapBase, {}, { signal, quiet: true })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })

export const extentQuery = ({ nodes, coordinates }: MapSubject) =>
  queryOptions({
    queryKey: [...mapKeys.places, 'extent', nodes, coordinates],
    queryFn: ({ signal }) => call(getMapExtent, { nodes: [...nodes], coordinates }, { signal, quiet: true }),
    staleTime: POLL_MS,
  })

export const tileQuery = ({ nodes, coordinates }: MapSubject, metric: MapMetric | undefined, tile: TileId) =>
  queryOptions({
    queryKey: [...mapKeys.places, 'tile', nodes, coordinates, metric, tile],
    queryFn: ({ signal }) =>
      call(getMapTile, { ...tile, nodes: [...nodes], coordinates, metric }, { signal, quiet: true }),
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
  })

interface ListQuery {
  readonly metric: MapMetric | undefined
  readonly within: Bounds
  readonly order: ListOrder
}

export function placesQuery({ nodes, coordinates }: MapSubject, { metric, within, order }: ListQuery) {
  const queryKey = [...mapKeys.places, 'list', nodes, coordinates, metric, order, within] as const
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      call(
        getMapPlaces,
        { nodes: [...nodes], coordinates, metric, within, order, limiter: { page: 1, size: MAX_LISTED } },
        { signal, quiet: true },
      ),
    // While the map moves the previous rows are shown, but not those of another metric, selection or order.
    placeholderData: (rows, query) => (isSameExceptBox(query?.queryKey, queryKey) ? rows : undefined),
    staleTime: POLL_MS,
    refetchInterval: POLL_MS,
  })
}

/** Map data of one node. */
export type FoundPlace = z.infer<typeof getMapPlace.output>

/** Position and values of a node and the devices below it. */
export const placeQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...mapKeys.places, 'one', node],
    queryFn: ({ signal }) => call(getMapPlace, { node }, { signal, quiet: true }),
    refetchInterval: POLL_MS,
  })
