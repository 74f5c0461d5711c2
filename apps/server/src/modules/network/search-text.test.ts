import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCandidates, toPartPattern, toParts, toPieces, toSearchText } from './search-text.ts'

test.each(['', ' ', '\u3000', '\n\t'])('a blank text (%j) asks for nothing', (text) => {
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
])('%s is cut into pieces', (text, pieces) => {
  expect(toPieces(toSearchText(text)?.folded ?? '')).toEqual(pieces)
})

test('one piece is no address, and neither are more pieces than a tree is deep', () => {
  expect(toPieces('阳光花园')).toEqual([])
  expect(toPieces('1-2-3-4-5-6-7-8-9')).toEqual([])
})

const partsOf = (text: string, names: readonly string[]) =>
  toParts(toPieces(text), (part) => names.some((name) => new RegExp(toPartPattern(part)).test(name)))

test('the longest run of pieces that some name contains is one part', () => {
  const names = ['阳光2期', '5号楼', '2单元', '301']
  expect(partsOf('阳光2期5号楼2单元301', names)).toEqual(['阳光2期', '5号楼', '2单元', '301'])
})

test('a word that no name has leaves its number', () => {
  expect(partsOf('5栋2单元301室', ['5号楼', '2单元', '301'])).toEqual(['5', '2单元', '301'])
})

test('a piece that fits no name leaves no address', () => {
  expect(partsOf('5号楼-nowhere-301', ['5号楼', '301'])).toEqual([])
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

test('every part was a candidate, and together they spell the text', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-c楼元 -]{1,20}$/), (text) => {
      const tokens = toPieces(text)
      const candidates = toCandidates(tokens)
      const parts = toParts(tokens, () => true)
      expect(candidates).toEqual(expect.arrayContaining([...parts]))
      expect(parts.join('')).toBe(tokens.flat().join(''))
    }),
  )
})
