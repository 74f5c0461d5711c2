import { z } from 'zod'
import type { MetricName } from '../metrics.ts'
import { nodeKey } from '../tree.ts'
import { latitudeDeg, longitudeDeg } from './position.ts'

/**
 * The system positions are given in. Stored is WGS-84; GCJ-02 is what Chinese providers of map tiles draw in, some
 * hundred metres off inside China (kernel gcj02.ts).
 */
export const mapCoordinates = z.enum(['wgs84', 'gcj02'])
export type MapCoordinates = z.infer<typeof mapCoordinates>

/** Metrics the map may be coloured by, in the order they are offered. */
export const mapMetrics = [
  'temp.room',
  'temp.supply',
  'temp.return',
  'valve.opening',
  'heat.flow',
  'heat.power',
  'pressure.diff',
] as const satisfies readonly MetricName[]
export const mapMetric = z.enum(mapMetrics)
export type MapMetric = z.infer<typeof mapMetric>

/** The finest grid of tiles: some 150 m a tile. Who looks closer asks for these. */
export const MAP_DEEPEST_ZOOM = 18
/** Places and clusters that one tile holds at most of stations, and as many of buildings, but on the finest grid. */
export const MAP_TILE_PLACES = 100

/** WGS-84 or GCJ-02, degrees. */
export const mapPosition = z.object({ longitudeDeg, latitudeDeg })
export type MapPosition = z.infer<typeof mapPosition>

/** Degrees; west of east, south of north. */
export const mapExtent = z.object({
  west: longitudeDeg,
  south: latitudeDeg,
  east: longitudeDeg,
  north: latitudeDeg,
})
export type MapExtent = z.infer<typeof mapExtent>

const count = z.number().int().nonnegative()

/**
 * What a metric is at present, in its unit: of the devices that stand on the node itself if these tell, else of all
 * below it. Only devices that speak and are believed count.
 */
export const mapValue = z.object({
  mean: z.number(),
  low: z.number(),
  high: z.number(),
  /** Devices that tell. */
  count: z.number().int().positive(),
})
export type MapValue = z.infer<typeof mapValue>

/** What a place or a cluster shows. */
export const mapFigures = z.object({
  /** Of the metric asked for; null when no metric was, or nobody tells. */
  value: mapValue.nullable(),
  /** As of a node of the tree (endpoints/tree.ts), of everything below. */
  health: z.enum(['good', 'caution', 'alarm', 'none']),
  devCount: count,
  silentCount: count,
  badCount: count,
})
export type MapFigures = z.infer<typeof mapFigures>

/** A node on the map. */
export const mapPlace = z.object({
  node: nodeKey,
  label: z.string(),
  /** Of tree.ts: a station is 4, a residential area 5, a building 6. */
  level: z.number().int().min(1).max(8),
  ...mapPosition.shape,
  ...mapFigures.shape,
})
export type MapPlace = z.infer<typeof mapPlace>

/** Places too close to each other to be drawn one by one: either from the residential area up, or buildings and what is below. */
export const mapCluster = z.object({
  of: z.enum(['stations', 'buildings']),
  /** Places in it. */
  count: z.number().int().min(2),
  /** Their middle. */
  ...mapPosition.shape,
  extent: mapExtent,
  ...mapFigures.shape,
})
export type MapCluster = z.infer<typeof mapCluster>

/** Leads heat from one place to the next below it, drawn straight: from the station to its areas, from there to buildings. */
export const mapPipe = z.object({
  /** At its lower end; a node has one. */
  node: nodeKey,
  /** Of the node at its lower end. */
  level: z.number().int().min(5).max(8),
  from: z.tuple([z.number(), z.number()]),
  to: z.tuple([z.number(), z.number()]),
})
export type MapPipe = z.infer<typeof mapPipe>

/** Where pictures of the ground below the network come from. */
export const mapTiles = z.object({
  /** With {z}, {x} and {y} for the tile. */
  url: z.string(),
  coordinates: mapCoordinates,
  /** Whom the map says they are from. */
  attribution: z.string(),
  maxZoom: z.number().int().min(1).max(24),
})
export type MapTiles = z.infer<typeof mapTiles>
