import { expect, test } from 'vitest'
import { examineGeojson, toPlainText } from './examine-geojson.ts'
import { toTownText } from './map-files.testkit.ts'

test('an attribution of any length is plain text at once', () => {
  const startMs = performance.now()
  expect(toPlainText('<'.repeat(60_000))).toBe('<'.repeat(200))
  // All of it takes seconds, its beginning less than a millisecond.
  expect(performance.now() - startMs).toBeLessThan(500)
  expect(toPlainText('<a href="https://osm.org">&copy; A &amp;\n B</a>')).toBe('© A & B')
})

test.each(['null', '5', '{"toString":1}'])('a system of coordinates called %s is another one', (name) => {
  const crs = `"crs":{"properties":{"name":${name}}}`
  const text = `{"type":"FeatureCollection","features":[],${crs}}`
  expect(examineGeojson(text)).toEqual({ kind: 'refused', fault: 'other-coordinates' })
})

test('a byte order mark before the content is no part of it', () => {
  expect(examineGeojson(`\uFEFF${toTownText()}`)).toMatchObject({ kind: 'good' })
})
