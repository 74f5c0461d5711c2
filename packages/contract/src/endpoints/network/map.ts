import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import {
  MAP_DEEPEST_ZOOM,
  mapCluster,
  mapCoordinates,
  mapExtent,
  mapFigures,
  mapMetric,
  mapPipe,
  mapPlace,
  mapTiles,
  mapValue,
} from '../../network/map.ts'
import { MAX_GROUND_NAME, mapGround } from '../../network/map-ground.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { nodeType, treeStep } from './tree.ts'
import { place } from './zone-gis.ts'

const common = {
  backend: 'ht-api',
  method: 'POST',
  /** Users that can see the map can see the values that colour it. */
  access: requiresPermission('pg-gisshow'),
  effect: 'reads',
} as const

const node = refersTo('node', nodeKey)
/** Subtrees to show; by default everything granted to the caller. */
const nodes = z.array(node).max(2_000).default([])
/** Coordinate system of the positions in the call and its answer. */
const coordinates = mapCoordinates.default('wgs84')
const inGrid = z
  .number()
  .int()
  .min(0)
  .max(2 ** MAP_DEEPEST_ZOOM - 1)

export const getMapTile = defineEndpoint({
  ...common,
  path: '/Map/GetTile',
  summary:
    'Content of a tile of the Web Mercator grid: places or clusters with a metric, and the pipes that touch the tile. A place is in one tile, a pipe in every tile it crosses.',
  input: z
    .object({
      z: z.number().int().min(0).max(MAP_DEEPEST_ZOOM),
      x: inGrid,
      y: inGrid,
      nodes,
      metric: mapMetric.optional(),
      coordinates,
    })
    .refine((tile) => Math.max(tile.x, tile.y) < 2 ** tile.z, { error: 'is not in the grid', path: ['x'] }),
  output: z.object({
    places: z.array(mapPlace),
    clusters: z.array(mapCluster),
    pipes: z.array(mapPipe),
  }),
  errors: ['node.not-found'],
})

export const getMapExtent = defineEndpoint({
  ...common,
  path: '/Map/GetExtent',
  summary:
    'The box around the places at or below nodes. If there are none: around the nearest place above, if it is granted to the caller.',
  input: z.object({ nodes, coordinates }),
  /** null if nothing is on the map. `count`: number of places at or below the nodes. */
  output: z.object({ extent: mapExtent.nullable(), count: z.number().int().nonnegative() }),
  errors: ['node.not-found'],
})

export const getMapPlaces = defineEndpoint({
  ...common,
  path: '/Map/GetPlaces',
  summary: 'Places at or below nodes, optionally within a box, in pages: the map as a list.',
  input: z.object({
    nodes,
    within: mapExtent.optional(),
    metric: mapMetric.optional(),
    /** Order by the mean of the metric, places without a value last; `tree`: tree order. */
    order: z.enum(['tree', 'lowest', 'highest']).default('tree'),
    coordinates,
    limiter: limiter.default({ page: 1, size: 50 }),
  }),
  output: pageOf(
    mapPlace.extend({ /** Names from the project down, joined by commas. */ nestaddr: z.string() }),
  ),
  errors: ['node.not-found'],
})

export const getMapPlace = defineEndpoint({
  ...common,
  path: '/Map/GetPlace',
  summary: 'A node with its position and the values measured at and below it.',
  input: z.object({ node }),
  output: z.object({
    node: nodeKey,
    label: z.string(),
    level: z.number().int().min(1).max(8),
    nodetype: nodeType,
    /** Path from the project down to the node, as in a search of the tree. */
    chain: z.array(treeStep).min(1),
    /** Names from the project down, joined by commas. */
    nestaddr: z.string(),
    /** WGS-84; null if the node is not on the map. */
    place: place.nullable(),
    /** Version of the place, for the next edit; absent if the node is not on the map. */
    version: version.optional(),
    abilities: z.array(z.enum(['edit', 'remove'])),
    ...mapFigures.omit({ value: true }).shape,
    /** Values of the metrics of the map that any device reports. */
    values: z.array(mapValue.extend({ metric: mapMetric })),
  }),
  errors: ['node.not-found'],
})

export const getMapBase = defineEndpoint({
  ...common,
  path: '/Map/GetBase',
  summary:
    "Sources of the base map: the company's own files, and the tiles that are shown without any; null for none.",
  input: z.object({}),
  output: z.object({ tiles: mapTiles.nullable(), ground: mapGround }),
  errors: [],
})

export const getMapGroundFile = defineEndpoint({
  ...common,
  method: 'GET',
  path: '/Map/GetGroundFile',
  summary: "A file of the company's own base map, whole or the part that the header Range names.",
  file: 'download',
  isPageContent: true,
  input: z.object({
    file: z.string().min(1).max(MAX_GROUND_NAME),
    /** Version that the caller wants: while it is the current one, a browser may use the answer again without a call. */
    version: z.string().max(64).optional(),
  }),
  output: z.null(),
  errors: ['map-file.not-found'],
})

export const mapEndpoints = {
  getMapTile,
  getMapExtent,
  getMapPlaces,
  getMapPlace,
  getMapBase,
  getMapGroundFile,
} as const
