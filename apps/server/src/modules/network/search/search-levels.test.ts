import { expect, test } from 'vitest'
import { type KnownPart, toLevels } from './search-levels.ts'

const part = (levels: readonly number[], withPrevious?: string): KnownPart => ({
  texts: ['x'],
  withPrevious,
  names: new Map(levels.map((level) => [level, 1])),
})

test('5-2-301 is more likely in building 5 than in station 5, where part 2 may be an area, a building or a unit', () => {
  const parts = [part([4, 6, 7]), part([4, 5, 6, 7]), part([8])]
  expect(toLevels(parts)).toEqual([
    [[6], [7], [8]],
    [[4], [5, 6, 7], [8]],
  ])
})

test('a higher last part comes first', () => {
  expect(toLevels([part([3]), part([8, 6])])).toEqual([
    [[3], [6]],
    [[3], [8]],
  ])
})

test('parts without a separator may be in one name, but an address needs at least two nodes', () => {
  expect(toLevels([part([5]), part([5], '阳光2'), part([5, 6], '阳光2号')])).toEqual([[[5], [5], [6]]])
  expect(toLevels([part([5]), part([5]), part([6])])).toEqual([])
})

test('a level from which the rest cannot be reached is left out', () => {
  expect(toLevels([part([1]), part([4, 7]), part([5]), part([8])])).toEqual([[[1], [4], [5], [8]]])
})

test('a part without any level gives no chains', () => {
  expect(toLevels([part([1]), part([]), part([8])])).toEqual([])
})
