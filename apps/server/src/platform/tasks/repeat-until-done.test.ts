import { expect, test } from 'vitest'
import { repeatUntilDone } from './repeat-until-done.ts'

/** A step that handles the given counts, one per call. */
function createStep(counts: readonly number[]) {
  const left = [...counts]
  return {
    left,
    step: async (): Promise<number> => left.shift() ?? 0,
  }
}

test('repeats full batches and returns the total', async () => {
  const { step, left } = createStep([3, 3, 1, 3])
  expect(await repeatUntilDone(step, { batchSize: 3 })).toBe(7)
  expect(left).toEqual([3])
})

test('runs once when there is no work', async () => {
  const { step, left } = createStep([0, 3])
  expect(await repeatUntilDone(step, { batchSize: 3 })).toBe(0)
  expect(left).toEqual([3])
})

test('ends before the next step once it is stopped', async () => {
  const { step, left } = createStep([3, 3, 3])
  expect(await repeatUntilDone(step, { batchSize: 3, isStopped: () => left.length === 1 })).toBe(6)
  expect(left).toEqual([3])
})

test('rejects with the error of a step', async () => {
  const step = async (): Promise<number> => {
    throw new Error('the store is unavailable')
  }
  await expect(repeatUntilDone(step, { batchSize: 3 })).rejects.toThrow('the store is unavailable')
})
