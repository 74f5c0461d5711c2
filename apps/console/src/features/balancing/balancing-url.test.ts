import { ROOT_KEY } from '@isotherm/contract/tree'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toSelectionMark } from '../../shared/nodes/tree-selection.ts'
import { findPlaceNode, parseBalancingUrl, toBalancingSearch } from './balancing-url.ts'
import { cellMetrics } from './cell-metric.ts'
import { valveFilters, valveSorts } from './indices/valve-query.ts'
import { trendRanges } from './trend/trend-range.ts'

const id = fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined })

describe('the address of a balancing page', () => {
  test('comes back as it was', () => {
    const url = fc.record({
      campaign: id,
      strategy: id,
      isForm: fc.boolean(),
      at: fc.constant('12'),
      of: fc.constant('1.7'),
      range: fc.constantFrom(...trendRanges),
      by: fc.option(fc.constantFrom(...cellMetrics), { nil: undefined }),
      text: fc.string({ maxLength: 20 }),
      filter: fc.constantFrom(...valveFilters),
      sort: fc.constantFrom(...valveSorts),
      descending: fc.boolean(),
      valve: id,
    })
    fc.assert(
      fc.property(url, (each) => {
        const search = new URLSearchParams(toBalancingSearch(each).toString())
        expect(parseBalancingUrl(search)).toEqual(each)
      }),
    )
  })

  test('is plain where nothing was chosen, and nonsense in it counts for nothing', () => {
    const plain = parseBalancingUrl(new URLSearchParams())
    expect(toBalancingSearch(plain).toString()).toBe('')
    const nonsense = new URLSearchParams(
      'campaign=-3&strategy=x&form=2&range=9y&by=colour&show=some&sort=-luck&valve=x',
    )
    expect(parseBalancingUrl(nonsense)).toEqual({ ...plain, descending: true })
  })
})

describe('the node a page is of', () => {
  const nowhere = { at: undefined, of: '' }
  test('is the one the tree has selected, all there is without a selection, and none of several', () => {
    expect(findPlaceNode(['7'], nowhere)).toBe('7')
    expect(findPlaceNode([], nowhere)).toBe(ROOT_KEY)
    expect(findPlaceNode(['7', '8'], nowhere)).toBeUndefined()
  })

  test('is a station chosen on the page, until the tree selects something else', () => {
    const chosen = { at: '12', of: toSelectionMark(['7', '8']) }
    expect(findPlaceNode(['7', '8'], chosen)).toBe('12')
    expect(findPlaceNode(['9'], chosen)).toBe('9')
    expect(findPlaceNode([], { at: '12', of: toSelectionMark([]) })).toBe('12')
  })
})
