import { expect, test } from 'vitest'
import { findNearest, toRuns } from './trend-points.ts'

const at = (...instants: readonly number[]) => instants.map((instant) => ({ at: instant, sigmaK: 1 }))

test('the curve has a gap if several points are missing, but not for one missing point', () => {
  expect(toRuns(at(0, 10, 20, 40, 50)).map((run) => run.length)).toEqual([5])
  expect(toRuns(at(0, 10, 20, 90, 100)).map((run) => run.length)).toEqual([3, 2])
  expect(toRuns([])).toEqual([])
})

test('the point nearest to an instant is found', () => {
  expect(findNearest(at(0, 10, 20), 13)?.at).toBe(10)
  expect(findNearest([], 13)).toBeUndefined()
})
