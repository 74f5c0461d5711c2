import { describe, expect, test } from 'vitest'
import { isOnlyName, toGroundKind, toGroundName } from './ground-kind.ts'

const kindOf = (properties: Readonly<Record<string, unknown>>, isArea = false) =>
  toGroundKind((name) => properties[name], isArea)

describe('a feature is recognised by', () => {
  test('the tags of OpenStreetMap', () => {
    expect(kindOf({ highway: 'primary_link' })).toBe('main-street')
    expect(kindOf({ highway: 'residential' })).toBe('street')
    expect(kindOf({ highway: 'footway' })).toBe('path')
    expect(kindOf({ railway: 'rail' })).toBe('rail')
    expect(kindOf({ building: 'yes' }, true)).toBe('building')
    expect(kindOf({ natural: 'water' }, true)).toBe('water')
    expect(kindOf({ waterway: 'river' })).toBe('waterway')
    expect(kindOf({ leisure: 'park' }, true)).toBe('green')
    expect(kindOf({ landuse: 'forest' }, true)).toBe('green')
  })

  test('the layers of OpenMapTiles', () => {
    expect(kindOf({ layer: 'transportation', class: 'trunk' })).toBe('main-street')
    expect(kindOf({ layer: 'transportation', class: 'minor' })).toBe('street')
    expect(kindOf({ layer: 'transportation', class: 'rail' })).toBe('rail')
    expect(kindOf({ layer: 'transportation_name', class: 'minor' })).toBe('street')
    expect(kindOf({ layer: 'building' }, true)).toBe('building')
    expect(kindOf({ layer: 'water', class: 'lake' }, true)).toBe('water')
    expect(kindOf({ layer: 'landcover', class: 'wood' }, true)).toBe('green')
    expect(kindOf({ layer: 'park' }, true)).toBe('green')
  })

  test('the layers of Protomaps', () => {
    expect(kindOf({ layer: 'roads', kind: 'major_road' })).toBe('main-street')
    expect(kindOf({ layer: 'roads', kind: 'minor_road' })).toBe('street')
    expect(kindOf({ layer: 'buildings', kind: 'building' }, true)).toBe('building')
    expect(kindOf({ layer: 'landuse', kind: 'park' }, true)).toBe('green')
    expect(kindOf({ layer: 'earth', kind: 'earth' }, true)).toBeUndefined()
  })

  test('its shape if it has no property for its kind, as in a drawing', () => {
    expect(kindOf({ id: 7 }, true)).toBe('building')
    expect(kindOf({ name: '解放大街' })).toBe('street')
  })
})

test('what the map does not show is not drawn', () => {
  expect(kindOf({ boundary: 'administrative' }, true)).toBeUndefined()
  expect(kindOf({ landuse: 'residential' }, true)).toBeUndefined()
  expect(kindOf({ layer: 'boundaries', kind: 'country' })).toBeUndefined()
  expect(kindOf({ building: 'no', amenity: 'parking' }, true)).toBeUndefined()
})

test('what is planned, gone or no way is not drawn', () => {
  for (const railway of ['abandoned', 'razed', 'platform'])
    expect(kindOf({ railway }), railway).toBeUndefined()
  for (const highway of ['proposed', 'construction']) expect(kindOf({ highway }), highway).toBeUndefined()
  expect(kindOf({ waterway: 'dam' })).toBeUndefined()
  expect(kindOf({ waterway: 'dam' }, true)).toBeUndefined()
  expect(kindOf({ layer: 'transportation', class: 'primary_construction' })).toBeUndefined()
  expect(kindOf({ highway: 'residential', railway: 'abandoned' })).toBe('street')
})

test('the names of streets in OpenMapTiles are features of their own', () => {
  expect(isOnlyName(() => 'transportation_name')).toBe(true)
  expect(isOnlyName(() => 'transportation')).toBe(false)
})

test('a name in the language of the page comes first', () => {
  const get = (name: string) => ({ name: '人民公园', 'name:en': 'People’s Park' })[name]
  expect([toGroundName(get, 'en'), toGroundName(get, 'zh')]).toEqual(['People’s Park', '人民公园'])
  expect(toGroundName(() => undefined, 'en')).toBe('')
})
