import { MAX_ZOOM } from '../view/mercator.ts'

/** Steps by which the library counts higher: at its zoom 0 the world is 256 px wide, at ours 512. */
const LIBRARY_AHEAD = 1
/** Round the equator in the plane of web Mercator, metres. */
const WORLD_M = 2 * Math.PI * 6_378_137
const WORLD_PX = 512

export const toLibraryZoom = (zoom: number): number => zoom + LIBRARY_AHEAD
export const fromLibraryZoom = (zoom: number): number => zoom - LIBRARY_AHEAD

/** The zoom at which a pixel is so many metres of the plane. */
export const toZoom = (resolution: number): number => Math.log2(WORLD_M / WORLD_PX / resolution)

export const zoomLimits = { minZoom: toLibraryZoom(0), maxZoom: toLibraryZoom(MAX_ZOOM) }
