import { type GroundFault, MAX_GEOJSON_BYTES } from '@isotherm/contract/network/map-ground'
import { type Finding, ok, warning } from '../../../platform/doctor/finding.ts'
import { createGroundFolder } from './ground-folder.ts'

const MAX_MB = MAX_GEOJSON_BYTES / 1024 / 1024

/** What is wrong with a file and what to do about it. */
const faultTexts: Readonly<Record<GroundFault, readonly [what: string, repair: string]>> = {
  unreadable: ['it cannot be read', 'give it to the user of the service'],
  'unknown-format': ['it is neither .geojson nor .pmtiles', 'convert it, or move it out of the folder'],
  'too-large': [`GeoJSON of more than ${MAX_MB} MB`, 'make PMTiles of it, for example with tippecanoe'],
  'no-json': ['it is not JSON, or not whole', 'export it again'],
  'no-geojson': ['it is not a GeoJSON FeatureCollection', 'export it again as a FeatureCollection'],
  empty: ['nothing is in it', 'export it again'],
  'other-coordinates': [
    'its coordinates are not longitude and latitude in WGS-84',
    'convert it, for example with ogr2ogr -t_srs EPSG:4326',
  ],
  'no-pmtiles': ['it is not a PMTiles archive, or it is damaged', 'make or copy it again'],
  'other-version': ['it is PMTiles of another version than 3', 'convert it with pmtiles convert'],
  'no-vectors': ['its tiles are images', 'make vector tiles (MVT); images are set by ISOTHERM_MAP_TILES'],
  'packed-otherwise': ['it is packed with something other than gzip', 'make it again with gzip'],
  'cut-off': ['its end is missing', 'copy it again'],
}

/** Examines the map files of an installation; nothing to say without any. */
export async function checkMapFiles(folder: string): Promise<readonly Finding[]> {
  const { files, refused } = await createGroundFolder(folder).list('all')
  return [
    ...(files.length > 0 ? [ok(`map files: ${files.map(({ file }) => file).join(', ')} (${folder})`)] : []),
    ...refused.map(({ file, fault }) => {
      const [what, repair] = faultTexts[fault]
      return warning(`map files: ${file} is not shown: ${what}`, repair)
    }),
  ]
}
