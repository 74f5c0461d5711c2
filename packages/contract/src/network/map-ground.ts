import { z } from 'zod'

/** Formats of map files by the ending of their name. */
export const groundFormats = ['geojson', 'pmtiles'] as const
export const groundFormat = z.enum(groundFormats)
export type GroundFormat = z.infer<typeof groundFormat>

/** Largest GeoJSON map file, bytes: a browser loads it whole. Larger maps are PMTiles. */
export const MAX_GEOJSON_BYTES = 16 * 1024 * 1024

/** Finest zoom that PMTiles can number. */
export const MAX_GROUND_ZOOM = 26

/** Longest name of a map file: a tenant (64), a slash and the longest name in a file system (255). */
export const MAX_GROUND_NAME = 320

/**
 * Why a map file cannot be used. `too-large`: over MAX_GEOJSON_BYTES. `other-coordinates`: not longitude and latitude in WGS-84.
 * `other-version`: PMTiles other than version 3. `no-vectors`: the tiles are images. `packed-otherwise`: packed with something
 * other than gzip. `cut-off`: shorter than its own index says.
 */
export const groundFaults = [
  'unreadable',
  'unknown-format',
  'too-large',
  'no-json',
  'no-geojson',
  'empty',
  'other-coordinates',
  'no-pmtiles',
  'other-version',
  'no-vectors',
  'packed-otherwise',
  'cut-off',
] as const
export const groundFault = z.enum(groundFaults)
export type GroundFault = z.infer<typeof groundFault>

/** A map file of a company: streets, water, green and outlines of buildings, in WGS-84. */
export const groundFile = z.object({
  /** Its name in the folder of the map files, with the folder of its company if it is in one: `town.geojson`, `demo/town.geojson`. */
  file: z.string(),
  format: groundFormat,
  /** Changes with the content. */
  version: z.string(),
  /** Plain text to show on the map; empty if the file has none. */
  attribution: z.string(),
  /** Zoom of the finest tiles; 0 in GeoJSON. */
  maxZoom: z.number().int().min(0).max(MAX_GROUND_ZOOM),
})
export type GroundFile = z.infer<typeof groundFile>

/** A map file that is not shown, and the reason. */
export const refusedGroundFile = z.object({ file: z.string(), fault: groundFault })
export type RefusedGroundFile = z.infer<typeof refusedGroundFile>

/** The map files of the companies that a caller sees. */
export const mapGround = z.object({
  files: z.array(groundFile),
  refused: z.array(refusedGroundFile),
})
export type MapGround = z.infer<typeof mapGround>
