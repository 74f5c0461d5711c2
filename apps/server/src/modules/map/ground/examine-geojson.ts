import type { GroundFault } from '@isotherm/contract/network/map-ground'

/** What a map file is: usable, or the reason why not. */
export type Examined =
  | { readonly kind: 'good'; readonly attribution: string; readonly maxZoom: number }
  | { readonly kind: 'refused'; readonly fault: GroundFault }

export const refuse = (fault: GroundFault): Examined => ({ kind: 'refused', fault })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const geometries: ReadonlySet<unknown> = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
])

/** Names of WGS-84, and of CGCS2000 (EPSG 4490), which differs from it by centimetres. */
const WGS84 = /(?:CRS84|EPSG:{1,2}(?:4326|4490))$/i

/** Whether all positions in nested lists of coordinates are degrees of longitude and latitude. */
function areDegrees(coordinates: unknown): boolean {
  if (!Array.isArray(coordinates)) return false
  const [first, second] = coordinates
  if (typeof first !== 'number') return coordinates.every(areDegrees)
  return typeof second === 'number' && Math.abs(first) <= 180 && Math.abs(second) <= 90
}

function findGeometryFault(geometry: unknown): GroundFault | undefined {
  if (geometry === null) return undefined
  if (!isRecord(geometry)) return 'no-geojson'
  const { type, coordinates, geometries: parts } = geometry
  if (type === 'GeometryCollection')
    return Array.isArray(parts) ? findFirst(parts, findGeometryFault) : 'no-geojson'
  if (!geometries.has(type) || !Array.isArray(coordinates)) return 'no-geojson'
  return areDegrees(coordinates) ? undefined : 'other-coordinates'
}

function findFirst<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined) {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

const findFeatureFault = (feature: unknown): GroundFault | undefined =>
  isRecord(feature) && feature.type === 'Feature' ? findGeometryFault(feature.geometry) : 'no-geojson'

/** Part of an attribution that is examined, characters: the time grows with its square. */
const MAX_MARKUP = 2_000

/** Text without markup, at most 200 characters: maps of other tools write links. */
export const toPlainText = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .slice(0, MAX_MARKUP)
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&copy;', '©')
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, 200)
    : ''

/** Examines a GeoJSON map file (RFC 7946): a collection of features in WGS-84, with `attribution` beside them. */
export function examineGeojson(text: string): Examined {
  let content: unknown
  try {
    // Editors of Windows put a byte order mark in front, which is no JSON.
    content = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return refuse('no-json')
  }
  if (!isRecord(content) || content.type !== 'FeatureCollection' || !Array.isArray(content.features))
    return refuse('no-geojson')
  const { crs, features, attribution } = content
  // Files from before RFC 7946 may name another system of coordinates.
  if (isRecord(crs) && isRecord(crs.properties)) {
    const { name } = crs.properties
    if (typeof name !== 'string' || !WGS84.test(name)) return refuse('other-coordinates')
  }
  if (features.length === 0) return refuse('empty')
  const fault = findFirst(features, findFeatureFault)
  return fault ? refuse(fault) : { kind: 'good', attribution: toPlainText(attribution), maxZoom: 0 }
}
