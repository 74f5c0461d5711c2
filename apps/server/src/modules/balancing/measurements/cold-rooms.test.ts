import { expect, it } from 'vitest'
import { countColdSince, listCold } from './cold-rooms.ts'

const before = new Map([
  [1, 17.9],
  [2, 18.1],
  [3, 21],
  [4, 16],
])

const known = { measured: [1, 2, 3, 4], cold: [1, 4] }

it('counts rooms below the limit', () => {
  expect(listCold(before)).toEqual([1, 4])
})

it.each([
  ['nothing changed', [], 2],
  ['a room at the limit sways below it', [[2, 17.8]], 2],
  ['a warm room falls', [[3, 17.5]], 3],
  ['a cold room is warm again', [[1, 18.2]], 1],
  [
    'one was warmed and another fell',
    [
      [1, 18.2],
      [2, 17.5],
    ],
    2,
  ],
] as const)('%s', (_, changes, count) => {
  expect(countColdSince(known, new Map([...before, ...changes]))).toBe(count)
})

it('counts a cold room that became silent as cold', () => {
  expect(countColdSince(known, new Map([[2, 20]]))).toBe(2)
})

it('ignores rooms that were not measured before', () => {
  expect(countColdSince({ measured: [], cold: [] }, new Map([[7, 12]]))).toBe(0)
  expect(countColdSince(known, new Map([...before, [7, 12]]))).toBe(2)
})
