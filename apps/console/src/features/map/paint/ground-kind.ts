/** What the base map distinguishes. `waterway`: a river as a line. */
export type GroundKind =
  | 'green'
  | 'water'
  | 'waterway'
  | 'building'
  | 'rail'
  | 'path'
  | 'street'
  | 'main-street'

/** A property of a feature by name. */
export type GetProperty = (name: string) => unknown

/** Values of OpenStreetMap's `highway`, of `class` in OpenMapTiles and of `kind` in Protomaps. */
const mains: ReadonlySet<string> = new Set([
  'motorway',
  'trunk',
  'primary',
  'secondary',
  'tertiary',
  'highway',
  'major_road',
])
const paths: ReadonlySet<string> = new Set([
  'path',
  'footway',
  'cycleway',
  'steps',
  'pedestrian',
  'track',
  'bridleway',
  'corridor',
])
const rails: ReadonlySet<string> = new Set(['rail', 'railway', 'transit', 'light_rail', 'subway', 'tram'])
/** Values of `landuse`, `leisure` and `natural`, of `class` and of `kind`. */
const greens: ReadonlySet<string> = new Set([
  'park',
  'garden',
  'grass',
  'forest',
  'wood',
  'meadow',
  'village_green',
  'recreation_ground',
  'cemetery',
  'orchard',
  'scrub',
  'grassland',
  'nature_reserve',
  'national_park',
  'golf_course',
  'allotments',
])

/** Values of `highway`, `railway` and `waterway`, and of `class`, of what is no line on the ground, or none yet, or no more. */
const absent: ReadonlySet<string> = new Set([
  'proposed',
  'construction',
  'abandoned',
  'razed',
  'demolished',
  'dismantled',
  'disused',
  'platform',
  'dam',
  'weir',
])
/** Classes of OpenMapTiles such as `primary_construction`. */
const isAbsent = (value: string): boolean => absent.has(value) || value.endsWith('_construction')

/** OpenMapTiles has the names of streets on lines of their own, over those of `transportation`. */
const NAME_LAYER = 'transportation_name'
/** Layers of vector tiles: OpenMapTiles' names and Protomaps' names. */
const streetLayers: ReadonlySet<string> = new Set(['transportation', NAME_LAYER, 'roads'])
const buildingLayers: ReadonlySet<string> = new Set(['building', 'buildings'])
const greenLayers: ReadonlySet<string> = new Set(['park', 'landcover', 'landuse', 'green'])

/** Properties that say what a feature is. Without any of them its geometry decides. */
const tags = [
  'highway',
  'railway',
  'building',
  'waterway',
  'natural',
  'water',
  'landuse',
  'leisure',
  'boundary',
  'place',
  'amenity',
  'power',
  'barrier',
  'layer',
  'class',
  'kind',
]

function toStreet(value: string): GroundKind {
  const plain = value.replace(/_link$/, '')
  if (rails.has(plain)) return 'rail'
  if (mains.has(plain)) return 'main-street'
  return paths.has(plain) ? 'path' : 'street'
}

/**
 * What a feature of a map file is, by OpenStreetMap's tags or by the layers of the usual vector tiles (OpenMapTiles and
 * Protomaps). Without any tag an area is a building and a line a street. Undefined for what is not drawn.
 */
export function toGroundKind(get: GetProperty, isArea: boolean): GroundKind | undefined {
  const read = (name: string): string => {
    const value = get(name)
    return typeof value === 'string' && value !== 'no' ? value : ''
  }
  const readLine = (name: string): string => (isAbsent(read(name)) ? '' : read(name))
  const layer = read('layer')
  const sort = read('class') || read('kind')
  if (read('building') || buildingLayers.has(layer)) return isArea ? 'building' : undefined
  const street = readLine('highway') || (readLine('railway') && 'rail')
  if (!isArea && street) return toStreet(street)
  if (!isArea && streetLayers.has(layer)) return isAbsent(sort) ? undefined : toStreet(sort)
  if (read('natural') === 'water' || read('water') || layer === 'water') return isArea ? 'water' : 'waterway'
  if (readLine('waterway') || (layer === 'waterway' && !isAbsent(sort))) return isArea ? 'water' : 'waterway'
  const isGreen = ['landuse', 'leisure', 'natural'].some((name) => greens.has(read(name)))
  if (isArea && (isGreen || (greenLayers.has(layer) && (greens.has(sort) || layer === 'park'))))
    return 'green'
  if (tags.some((name) => get(name) !== undefined)) return undefined
  return isArea ? 'building' : 'street'
}

/** Whether a feature is there for its name only: its line is another feature. */
export const isOnlyName = (get: GetProperty): boolean => get('layer') === NAME_LAYER

/** The name of a feature in the language of the page; empty without one. */
export function toGroundName(get: GetProperty, language: string): string {
  const name = get(`name:${language}`) ?? get('name')
  return typeof name === 'string' ? name : ''
}
