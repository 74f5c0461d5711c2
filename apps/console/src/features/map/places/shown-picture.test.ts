import type { MapPlace } from '@isotherm/contract/network/map'
import { describe, expect, test } from 'vitest'
import { placesQuery } from './place-queries.ts'
import { isSameExceptBox, toShownThings } from './shown-picture.ts'

const place: MapPlace = {
  node: '7',
  label: '一号楼',
  level: 6,
  longitudeDeg: 126.6,
  latitudeDeg: 45.7,
  value: { mean: 42, low: 41, high: 43, count: 3 },
  health: 'good',
  devCount: 3,
  silentCount: 0,
  badCount: 0,
}
const nothing = { places: [], clusters: [], pipes: [] }
const whole = { things: { ...nothing, places: [place] }, grid: 12, of: [['3'], 'wgs84', 'temp.return'] }
const coming = { ...whole, things: nothing, isPending: true, isEmpty: true }

describe('while tiles come', () => {
  test('the last complete picture stays, so that zooming does not flicker', () => {
    expect(toShownThings({ ...coming, grid: 13 }, whole)).toBe(whole.things)
    expect(toShownThings(coming, whole)).toBe(whole.things)
  })

  test('of the same grid, the loaded tiles are shown', () => {
    const part = { ...whole.things }
    expect(toShownThings({ ...coming, things: part, isEmpty: false }, whole)).toBe(part)
  })

  test('a picture of another metric or selection is never shown for this one', () => {
    expect(toShownThings({ ...coming, of: [['3'], 'wgs84', 'valve.opening'] }, whole)).toBe(nothing)
    expect(toShownThings({ ...coming, of: [['4'], 'wgs84', 'temp.return'] }, whole)).toBe(nothing)
    expect(toShownThings({ ...coming, of: [['3'], 'gcj02', 'temp.return'] }, whole)).toBe(nothing)
  })

  test('a complete picture is shown, even if it is empty', () => {
    expect(toShownThings({ ...coming, isPending: false }, whole)).toBe(nothing)
  })
})

test('previous rows are shown only for another part of the map', () => {
  const subject = { nodes: ['3'], coordinates: 'wgs84' } as const
  const within = { west: 126, south: 45, east: 127, north: 46 }
  const query = { metric: 'temp.return', within, order: 'tree' } as const
  const { queryKey } = placesQuery(subject, query)
  const isShown = (...other: Parameters<typeof placesQuery>) =>
    isSameExceptBox(queryKey, placesQuery(...other).queryKey)
  expect(isShown(subject, { ...query, within: { ...within, west: 126.5 } })).toBe(true)
  expect(isShown(subject, { ...query, metric: 'valve.opening' })).toBe(false)
  expect(isShown(subject, { ...query, order: 'lowest' })).toBe(false)
  expect(isShown({ ...subject, nodes: ['4'] }, query)).toBe(false)
  expect(isSameExceptBox(undefined, queryKey)).toBe(false)
})
