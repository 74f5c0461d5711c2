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
  test('is read back as it was written', () => {
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

  test('has no parameters in the default state, and invalid parameters are ignored', () => {
    const plain = parseBalancingUrl(new URLSearchParams())
    expect(toBalancingSearch(plain).toString()).toBe('')
    const nonsense = new URLSearchParams(
      'campaign=-3&strategy=x&form=2&range=9y&by=colour&show=some&sort=-luck&valve=x',
    )
    expect(parseBalancingUrl(nonsense)).toEqual({ ...plain, descending: true })
  })
})

describe('the node of a page', () => {
  const nowhere = { at: undefined, of: '' }
  test('is the selected tree node, everything without a selection, and undefined for several nodes', () => {
    expect(findPlaceNode(['7'], nowhere)).toBe('7')
    expect(findPlaceNode([], nowhere)).toBe(ROOT_KEY)
    expect(findPlaceNode(['7', '8'], nowhere)).toBeUndefined()
  })

  test('is a station chosen on the page, until the tree selection changes', () => {
    const chosen = { at: '12', of: toSelectionMark(['7', '8']) }
    expect(findPlaceNode(['7', '8'], chosen)).toBe('12')
    expect(findPlaceNode(['9'], chosen)).toBe('9')
    expect(findPlaceNode([], { at: '12', of: toSelectionMark([]) })).toBe('12')
  })
})
