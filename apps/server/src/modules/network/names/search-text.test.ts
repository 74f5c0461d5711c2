import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAddresses, toPartPattern, toPieces, toSearchText } from './search-text.ts'

test.each(['', ' ', '\u3000', '\n\t'])('a blank text (%j) is no search text', (text) => {
  expect(toSearchText(text)).toBeUndefined()
})

test.each([
  ['hyj', 'hyj'],
  ["Xi'an", 'xian'],
  ['he yuan', 'heyuan'],
  ['3hl', '3hl'],
  ['301', undefined],
  ['阳光y', undefined],
])('the letters of %s are %s', (text, latin) => {
  expect(toSearchText(text)?.latin).toBe(latin)
})

test.each([
  ['5-2-301', [['5'], ['2'], ['301']]],
  ['阳光 5 2 301', [['阳光'], ['5'], ['2'], ['301']]],
  ['5号楼2单元301', [['5号楼', '2单元', '301']]],
  ['阳光花园5#2-301室', [['阳光花园', '5'], ['2'], ['301室']]],
])('%s is split into pieces', (text, pieces) => {
  expect(toPieces(toSearchText(text)?.folded ?? '')).toEqual(pieces)
})

test('one piece is no address, and neither are more pieces than a tree has levels', () => {
  expect(toPieces('阳光花园')).toEqual([])
  expect(toPieces('1-2-3-4-5-6-7-8-9')).toEqual([])
})

const addressesOf = (text: string) =>
  toAddresses(toPieces(toSearchText(text)?.folded ?? '')).map((parts) =>
    parts.map(({ texts, withPrevious }) =>
      [texts.join('|'), ...(withPrevious === undefined ? [] : [withPrevious])].join(' '),
    ),
  )

test('pieces without a separator may be one name', () => {
  expect(addressesOf('阳光2期-5')[0]).toEqual(['阳光', '2期 阳光2期', '5'])
})

test('the number of a piece matches alone if names use another word', () => {
  expect(addressesOf('5栋2单元 301')).toEqual([
    ['5栋', '2单元 5栋2单元', '301'],
    ['5栋|5', '2单元|2 5栋2单元', '301'],
  ])
})

test('without pieces there is no address', () => {
  expect(addressesOf('阳光花园')).toEqual([])
})

test.each([
  ['5', '5号楼', true],
  ['5', '15号楼', false],
  ['5', '51号楼', false],
  ['301', '301', true],
  ['01', '301', false],
  ['单元', '2单元', true],
  ['a+b', 'xa+b', true],
])('the part %s in the name %s: %s', (part, name, found) => {
  expect(new RegExp(toPartPattern(part)).test(name)).toBe(found)
})

test('the parts of an address joined give the text', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-c楼元 -]{1,20}$/), (text) => {
      const tokens = toPieces(text)
      const [written = []] = toAddresses(tokens)
      expect(written.flatMap(({ texts }) => texts).join('')).toBe(tokens.flat().join(''))
    }),
  )
})
