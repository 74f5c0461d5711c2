import { MAX_ZOOM } from '../view/mercator.ts'

/** OpenLayers' zoom minus the zoom of this map: at zoom 0 the world is 256 px wide in OpenLayers, and 512 px here. */
const LIBRARY_ZOOM_OFFSET = 1
/** Circumference of the equator in Web Mercator, metres. */
const WORLD_M = 2 * Math.PI * 6_378_137
const WORLD_PX = 512

export const toLibraryZoom = (zoom: number): number => zoom + LIBRARY_ZOOM_OFFSET
export const fromLibraryZoom = (zoom: number): number => zoom - LIBRARY_ZOOM_OFFSET

/** The zoom for a resolution in metres per pixel. */
export const toZoom = (resolution: number): number => Math.log2(WORLD_M / WORLD_PX / resolution)

export const zoomLimits = { minZoom: toLibraryZoom(0), maxZoom: toLibraryZoom(MAX_ZOOM) }
