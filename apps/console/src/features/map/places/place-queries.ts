import {
  getMapBase,
  getMapExtent,
  getMapPlace,
  getMapPlaces,
  getMapTile,
} from '@isotherm/contract/endpoints/map'
import type { MapCoordinates, MapMetric } from '@isotherm/contract/map'
import type { NodeKey } from '@isotherm/contract/tree'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import type { ListOrder } from '../view/map-url.ts'
import type { Bounds, TileId } from '../view/mercator.ts'
import { isOtherBox } from './stand-in.ts'

export const mapKeys = {
  all: ['map'],
  /** What changes when a node is placed, moved or taken off. */
  places: ['map', 'places'],
} as const

/** Values on the map are asked for anew so often, ms: devices speak every few minutes. */
const VALUES_EVERY_MS = 30_000
/** Rows of the list; who wants others looks closer or selects less. */
const MOST_LISTED = 200

/** What the map is of. */
export interface MapSubject {
  /** Roots of the subtrees; none means all the user is granted. */
  readonly nodes: readonly NodeKey[]
  readonly coordinates: MapCoordinates
}

/** Where pictures of the ground come from. */
export const baseQuery = () =>
  queryOptions({
    queryKey: [...mapKeys.all, 'base'],
    queryFn: async ({ signal }) => (await call(getMapBase, {}, { signal, quiet: true })).tiles,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const extentQuery = ({ nodes, coordinates }: MapSubject) =>
  queryOptions({
    queryKey: [...mapKeys.places, 'extent', nodes, coordinates],
    queryFn: ({ signal }) => call(getMapExtent, { nodes: [...nodes], coordinates }, { signal, quiet: true }),
    staleTime: VALUES_EVERY_MS,
  })

export const tileQuery = ({ nodes, coordinates }: MapSubject, metric: MapMetric | undefined, tile: TileId) =>
  queryOptions({
    queryKey: [...mapKeys.places, 'tile', nodes, coordinates, metric, tile],
    queryFn: ({ signal }) =>
      call(getMapTile, { ...tile, nodes: [...nodes], coordinates, metric }, { signal, quiet: true }),
    staleTime: VALUES_EVERY_MS,
    refetchInterval: VALUES_EVERY_MS,
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
        { nodes: [...nodes], coordinates, metric, within, order, limiter: { page: 1, size: MOST_LISTED } },
        { signal, quiet: true },
      ),
    // While the map moves the rows before stand in; those of another metric, selection or order would be wrong.
    placeholderData: (rows, query) => (isOtherBox(query?.queryKey, queryKey) ? rows : undefined),
    staleTime: VALUES_EVERY_MS,
    refetchInterval: VALUES_EVERY_MS,
  })
}

/** What the server says of one node. */
export type FoundPlace = z.infer<typeof getMapPlace.output>

/** A node with where it lies and what is measured there and below. */
export const placeQuery = (node: NodeKey) =>
  queryOptions({
    queryKey: [...mapKeys.places, 'one', node],
    queryFn: ({ signal }) => call(getMapPlace, { node }, { signal, quiet: true }),
    refetchInterval: VALUES_EVERY_MS,
  })
