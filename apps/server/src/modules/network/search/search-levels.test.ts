import { expect, test } from 'vitest'
import { toLevels } from './search-levels.ts'
import type { KnownPart } from './search-store.ts'

const part = (levels: readonly number[], glued?: string): KnownPart => ({
  texts: ['x'],
  glued,
  names: new Map(levels.map((level) => [level, 1])),
})

test('5-2-301 is rather of building 5 than of station 5, whose areas, buildings and units may be the second', () => {
  const parts = [part([4, 6, 7]), part([4, 5, 6, 7]), part([8])]
  expect(toLevels(parts)).toEqual([
    [[6], [7], [8]],
    [[4], [5, 6, 7], [8]],
  ])
})

test('what stands higher comes first', () => {
  expect(toLevels([part([3]), part([8, 6])])).toEqual([
    [[3], [6]],
    [[3], [8]],
  ])
})

test('parts without anything between them may be of one name, but not an address of one node alone', () => {
  expect(toLevels([part([5]), part([5], '阳光2'), part([5, 6], '阳光2号')])).toEqual([[[5], [5], [6]]])
  expect(toLevels([part([5]), part([5]), part([6])])).toEqual([])
})

test('a level from which the rest cannot be reached is left out', () => {
  expect(toLevels([part([1]), part([4, 7]), part([5]), part([8])])).toEqual([[[1], [4], [5], [8]]])
})

test('there is none where a part is at no level', () => {
  expect(toLevels([part([1]), part([]), part([8])])).toEqual([])
})
