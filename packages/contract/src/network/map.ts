import { z } from 'zod'
import type { MetricName } from '../metrics.ts'
import { nodeKey } from '../tree.ts'
import { latitudeDeg, longitudeDeg } from './position.ts'

/**
 * Coordinate system of positions. WGS-84 is stored. Chinese providers of map tiles use GCJ-02, which differs by some
 * hundred metres inside China (kernel gcj02.ts).
 */
export const mapCoordinates = z.enum(['wgs84', 'gcj02'])
export type MapCoordinates = z.infer<typeof mapCoordinates>

/** Metrics that can colour the map, in the order of the selection. */
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

/** Zoom level of the finest tiles, about 150 m wide. Closer views use these tiles too. */
export const MAP_DEEPEST_ZOOM = 18
/** Maximum number of places and clusters of stations in one tile, and of buildings as well. The finest grid has no limit. */
export const MAP_TILE_PLACES = 100

/** WGS-84 or GCJ-02, degrees. */
export const mapPosition = z.object({ longitudeDeg, latitudeDeg })
export type MapPosition = z.infer<typeof mapPosition>

/** Degrees; west < east, south < north. */
export const mapExtent = z.object({
  west: longitudeDeg,
  south: latitudeDeg,
  east: longitudeDeg,
  north: latitudeDeg,
})
export type MapExtent = z.infer<typeof mapExtent>

const count = z.number().int().nonnegative()

/**
 * Present value of a metric, in its unit: over the devices on the node itself if any of them reports it, otherwise over all
 * devices below it. Only present devices with trusted readings count.
 */
export const mapValue = z.object({
  mean: z.number(),
  low: z.number(),
  high: z.number(),
  /** Number of devices that report it. */
  count: z.number().int().positive(),
})
export type MapValue = z.infer<typeof mapValue>

/** Figures of a place or a cluster. */
export const mapFigures = z.object({
  /** Value of the requested metric; null if none was requested or no device reports it. */
  value: mapValue.nullable(),
  /** Health of all devices below, as for a node of the tree (endpoints/network/tree.ts). */
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
  /** Level of tree.ts: 4 is a station, 5 a residential area, 6 a building. */
  level: z.number().int().min(1).max(8),
  ...mapPosition.shape,
  ...mapFigures.shape,
})
export type MapPlace = z.infer<typeof mapPlace>

/** Places too close to each other to be drawn separately: either residential areas and above, or buildings and below. */
export const mapCluster = z.object({
  of: z.enum(['stations', 'buildings']),
  /** Number of places in it. */
  count: z.number().int().min(2),
  /** Mean position of the places. */
  ...mapPosition.shape,
  extent: mapExtent,
  ...mapFigures.shape,
})
export type MapCluster = z.infer<typeof mapCluster>

/** A pipe from one place to the next below it, drawn as a straight line: from a station to its areas, from there to buildings. */
export const mapPipe = z.object({
  /** Node at its lower end; each node has one pipe. */
  node: nodeKey,
  /** Level of the node at its lower end. */
  level: z.number().int().min(5).max(8),
  from: z.tuple([z.number(), z.number()]),
  to: z.tuple([z.number(), z.number()]),
})
export type MapPipe = z.infer<typeof mapPipe>

/** Source of the base map tiles. */
export const mapTiles = z.object({
  /** URL with {z}, {x} and {y} for the tile. */
  url: z.string(),
  coordinates: mapCoordinates,
  /** Attribution text on the map. */
  attribution: z.string(),
  maxZoom: z.number().int().min(1).max(24),
})
export type MapTiles = z.infer<typeof mapTiles>
