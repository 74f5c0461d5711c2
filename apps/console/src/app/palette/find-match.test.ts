import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMatch, findRanges, toWords } from './find-match.ts'
import { toInitials } from './initials.ts'

test.each([
  ['阀门实时监控', 'fmssjk'],
  ['首页', 'sy'],
  ['换热站', 'hrz'],
  ['二网平衡', 'ewph'],
  ['龙泽苑 3号楼A', 'lzy 3hla'],
  ['Valve', 'valve'],
])('pinyin initials of %s are %s', (text, initials) => expect(toInitials(text)).toBe(initials))

test('each character has one initial, so that matches can be marked', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'阀门a1 级联Ä') }), (text) => {
      expect([...toInitials(text)]).toHaveLength([...text].length)
    }),
  )
})

test('a page is found by its title, its path and its initials; the title comes first', () => {
  const find = (typed: string) => findMatch('阀门实时监控', '/ewph/fmreal', toWords(typed))
  expect(find('实时')).toEqual({ rank: 1, ranges: [{ start: 2, end: 4 }] })
  expect(find('FMSS')).toEqual({ rank: 2, ranges: [{ start: 0, end: 4 }] })
  expect(find('fmreal')).toEqual({ rank: 4, ranges: [] })
  expect(find('阀门 监控')?.ranges).toEqual([
    { start: 0, end: 2 },
    { start: 4, end: 6 },
  ])
  expect(find('阀门 灌溉')).toBeUndefined()
})

test('the input is split into words; empty input matches everything', () => {
  expect(toWords('  5-2-301   Valve ')).toEqual(['5-2-301', 'valve'])
  expect(findMatch('任何', '', toWords(' '))).toEqual({ rank: 0, ranges: [] })
})

test('marked ranges are inside the text, sorted and separate', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 12 }),
      fc.array(fc.string({ minLength: 1, maxLength: 3 })),
      (text, words) => {
        let end = -1
        for (const range of findRanges(text, words)) {
          expect(range.start).toBeGreaterThan(end)
          expect(range.end).toBeGreaterThan(range.start)
          expect(range.end).toBeLessThanOrEqual(text.toLowerCase().length)
          end = range.end
        }
      },
    ),
  )
})
