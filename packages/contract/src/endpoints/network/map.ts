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
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { nodeType, treeStep } from './tree.ts'
import { place } from './zone-gis.ts'

const common = {
  backend: 'ht-api',
  method: 'POST',
  /** Who may see the map may see what it is coloured by. */
  access: requiresPermission('pg-gisshow'),
  effect: 'reads',
} as const

const node = refersTo('node', nodeKey)
/** Subtrees to show; none means everything the caller is granted. */
const nodes = z.array(node).max(2_000).default([])
/** System of the positions in the call and its answer. */
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
    'What a tile of the Web Mercator grid holds: places or clusters of them, with a metric of theirs, and the pipes that touch it. A place is in one tile of a grid; a pipe in all it crosses.',
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
    'The box around the places at or below nodes; around the nearest place above where there are none, if the caller is granted it.',
  input: z.object({ nodes, coordinates }),
  /** null when nothing is on the map. `count` is of the places at or below the nodes. */
  output: z.object({ extent: mapExtent.nullable(), count: z.number().int().nonnegative() }),
  errors: ['node.not-found'],
})

export const getMapPlaces = defineEndpoint({
  ...common,
  path: '/Map/GetPlaces',
  summary:
    'Places at or below nodes, within a box if one is given, page by page: what the map shows as a list.',
  input: z.object({
    nodes,
    within: mapExtent.optional(),
    metric: mapMetric.optional(),
    /** By the mean of the metric, those nobody tells of last; `tree` is the order of the tree. */
    order: z.enum(['tree', 'lowest', 'highest']).default('tree'),
    coordinates,
    limiter: limiter.default({ page: 1, size: 50 }),
  }),
  output: pageOf(mapPlace.extend({ /** Comma-joined names from the project down. */ nestaddr: z.string() })),
  errors: ['node.not-found'],
})

export const getMapPlace = defineEndpoint({
  ...common,
  path: '/Map/GetPlace',
  summary: 'A node with where it lies and what is measured there and below.',
  input: z.object({ node }),
  output: z.object({
    node: nodeKey,
    label: z.string(),
    level: z.number().int().min(1).max(8),
    nodetype: nodeType,
    /** From the project down to the node itself, as a search of the tree gives it. */
    chain: z.array(treeStep).min(1),
    /** Comma-joined names from the project down. */
    nestaddr: z.string(),
    /** WGS-84; null for a node that is not on the map. */
    place: place.nullable(),
    /** Of the place, for the next edit; absent without one. */
    version: version.optional(),
    abilities: z.array(z.enum(['edit', 'remove'])),
    ...mapFigures.omit({ value: true }).shape,
    /** Of each metric of the map that anybody tells. */
    values: z.array(mapValue.extend({ metric: mapMetric })),
  }),
  errors: ['node.not-found'],
})

export const getMapBase = defineEndpoint({
  ...common,
  path: '/Map/GetBase',
  summary: 'Where pictures of the ground below the network come from; null for a plain ground.',
  input: z.object({}),
  output: z.object({ tiles: mapTiles.nullable() }),
  errors: [],
})

export const mapEndpoints = { getMapTile, getMapExtent, getMapPlaces, getMapPlace, getMapBase } as const
