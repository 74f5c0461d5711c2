import { fromLonLat } from 'ol/proj.js'
import { expect, test } from 'vitest'
import { readGeojson } from './read-geojson.ts'

const toText = (crs: string | undefined) =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...(crs === undefined ? {} : { crs: { type: 'name', properties: { name: crs } } }),
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [116.4, 39.9] } }],
  })

test.each([
  [undefined],
  ['urn:ogc:def:crs:OGC:1.3:CRS84'],
  ['urn:ogc:def:crs:OGC::CRS84'],
  ['OGC:CRS84'],
  ['EPSG:4326'],
  ['urn:ogc:def:crs:EPSG::4490'],
  ['EPSG:4490'],
])('a file with the coordinate system %s is drawn at its longitude and latitude', (crs) => {
  const [feature] = readGeojson(toText(crs), 'EPSG:3857')
  expect(feature?.getGeometry()?.getExtent().slice(0, 2)).toEqual(fromLonLat([116.4, 39.9]))
})
