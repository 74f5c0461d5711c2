import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { colourings } from './colour-by.ts'
import { listOrders, parseMapUrl, sides, toMapSearch } from './map-url.ts'
import { isSameView } from './mercator.ts'

const parse = (text: string) => parseMapUrl(new URLSearchParams(text))

describe('the address of the map', () => {
  test('is read back as it was written, the view to less than a pixel', () => {
    const view = fc.record({
      center: fc.tuple(
        fc.double({ min: -179, max: 179, noNaN: true }),
        fc.double({ min: -84, max: 84, noNaN: true }),
      ),
      zoom: fc.double({ min: 0, max: 19, noNaN: true }),
    })
    const url = fc.record({
      by: fc.constantFrom(...colourings),
      view,
      of: fc.constantFrom('', '1.7'),
      place: fc.constantFrom(undefined, '12', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
      side: fc.constantFrom(...sides),
      order: fc.constantFrom(...listOrders),
    })
    fc.assert(
      fc.property(url, (given) => {
        const { view: back, ...rest } = parseMapUrl(toMapSearch(given))
        const { view: sent, ...others } = given
        expect(rest).toEqual(others)
        expect(back && isSameView(back, sent)).toBe(true)
      }),
    )
  })

  test('has no parameters in the default state', () => {
    expect(toMapSearch(parse('')).toString()).toBe('')
  })

  test('ignores an invalid view', () => {
    for (const at of ['', '126', '126,45', '126,95,10', '126,45,20', '126,45,x', '126,45,10,1', '1e9,4,4'])
      expect(parse(`at=${at}`).view, at).toBeUndefined()
    expect(parse('at=126.5,45.7,12').view).toEqual({ center: [126.5, 45.7], zoom: 12 })
  })
})
