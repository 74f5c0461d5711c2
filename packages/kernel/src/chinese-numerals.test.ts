import { expect, test } from 'vitest'
import { compareNames, replaceChineseNumerals, sortByName } from './chinese-numerals.ts'

test.each([
  ['一号楼', '1号楼'],
  ['十号楼', '10号楼'],
  ['二十三号楼', '23号楼'],
  ['一百零五号楼', '105号楼'],
  ['第二区十二号楼', '第2区12号楼'],
  ['5号楼', '5号楼'],
])('%s reads %s', (name, expected) => {
  expect(replaceChineseNumerals(name)).toBe(expected)
})

test('buildings are ordered by number, whichever script it is written in', () => {
  const names = ['十号楼', '2号楼', '一百号楼', '九号楼', '11号楼']
  expect(names.toSorted(compareNames)).toEqual(['2号楼', '九号楼', '十号楼', '11号楼', '一百号楼'])
})

test('items are ordered as their names are', () => {
  const names = ['十号楼', '2号楼', '一百号楼', '二号楼', '九号楼', '11号楼']
  expect(
    sortByName(
      names.map((name) => ({ name })),
      ({ name }) => name,
    ).map(({ name }) => name),
  ).toEqual(names.toSorted(compareNames))
})
