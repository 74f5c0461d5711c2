import type Feature from 'ol/Feature.js'
import GeoJSON from 'ol/format/GeoJSON.js'
import type { ProjectionLike } from 'ol/proj.js'

/** WGS-84 in degrees: the server refuses files in other coordinates. */
const DATA_PROJECTION = 'EPSG:4326'

/**
 * The features of a GeoJSON map file in the projection of the map. The member `crs` of older files is not used: the library
 * does not know CGCS2000 (EPSG:4490) and would take its degrees for metres.
 */
export const readGeojson = (text: string, featureProjection: ProjectionLike): Feature[] =>
  new GeoJSON().readFeatures(text, { dataProjection: DATA_PROJECTION, featureProjection })
