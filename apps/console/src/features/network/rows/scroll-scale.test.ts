import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_PX, placeAt, scrollFrom, toContentPx } from './scroll-scale.ts'

const ROW_PX = 28
const MILLION = { totalPx: 1_000_000 * ROW_PX, viewPx: 616 }
const maxTop = toContentPx(MILLION) - MILLION.viewPx

test('a list that fits scrolls as the browser does', () => {
  const extent = { totalPx: 600_000, viewPx: 600 }
  expect(toContentPx(extent)).toBe(600_000)
  expect(scrollFrom(extent, placeAt(extent, 0), 12_345)).toEqual({ topPx: 12_345, virtualPx: 12_345 })
})

test('a million rows are no higher than a browser allows', () => {
  expect(toContentPx(MILLION)).toBe(MAX_PX)
})

test('a million rows: the thumb at the end shows the last row, in the middle the middle one', () => {
  const start = placeAt(MILLION, 0)
  expect(scrollFrom(MILLION, start, maxTop).virtualPx).toBe(MILLION.totalPx - MILLION.viewPx)
  const middle = scrollFrom(MILLION, start, maxTop / 2).virtualPx
  expect(middle / MILLION.totalPx).toBeCloseTo(0.5, 3)
})

test('a million rows: the wheel moves the rows by its own distance', () => {
  const place = placeAt(MILLION, 9_000_000)
  const next = scrollFrom(MILLION, place, place.topPx + 100)
  expect(next.virtualPx).toBe(9_000_100)
})

/** Turns the wheel until the list stops, in whole pixels and within the ends, as a browser does. */
function turnUntilStill(virtualPx: number, step: number): number {
  let place = placeAt(MILLION, virtualPx)
  place = { ...place, topPx: Math.round(place.topPx) }
  for (let turns = 0; turns < 1_000; turns += 1) {
    const topPx = Math.max(0, Math.min(maxTop, place.topPx + step))
    if (topPx === place.topPx) return place.virtualPx
    const next = scrollFrom(MILLION, place, topPx)
    place = { virtualPx: next.virtualPx, topPx: Math.round(next.topPx) }
  }
  throw new Error('the list did not stop')
}

test('a million rows: the wheel reaches the first and the last row', () => {
  expect(turnUntilStill(20_000, -120)).toBe(0)
  const end = MILLION.totalPx - MILLION.viewPx
  expect(turnUntilStill(end - 20_000, 120)).toBe(end)
})

test('after any scrolling, the view is within the list and the thumb near its right position', () => {
  const move = fc.oneof(fc.integer({ min: -1_500, max: 1_500 }), fc.integer({ min: -MAX_PX, max: MAX_PX }))
  fc.assert(
    fc.property(fc.array(move, { maxLength: 200 }), (moves) => {
      let place = placeAt(MILLION, 0)
      for (const by of moves) {
        place = scrollFrom(MILLION, place, Math.max(0, Math.min(maxTop, place.topPx + by)))
        expect(place.virtualPx).toBeGreaterThanOrEqual(0)
        expect(place.virtualPx).toBeLessThanOrEqual(MILLION.totalPx - MILLION.viewPx)
        const drift = Math.abs(placeAt(MILLION, place.virtualPx).topPx - place.topPx)
        expect(drift).toBeLessThanOrEqual(20 * MILLION.viewPx)
      }
    }),
  )
})
