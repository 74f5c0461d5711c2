import { expect, test } from 'vitest'
import { takeSample } from './use-sampled.ts'

const last = { value: 'a', tick: 1 }

test('without sampling, every change is accepted', () => {
  expect(takeSample(last, { value: 'b', tick: 1 }, false)).toEqual({ value: 'b', tick: 1 })
  expect(takeSample(last, { value: 'a', tick: 2 }, false)).toBe(last)
})

test('with sampling, one change per tick is accepted', () => {
  expect(takeSample(last, { value: 'b', tick: 1 }, true)).toBe(last)
  const next = takeSample(last, { value: 'b', tick: 2 }, true)
  expect(next).toEqual({ value: 'b', tick: 2 })
  expect(takeSample(next, { value: 'c', tick: 2 }, true)).toBe(next)
  expect(takeSample(next, { value: 'c', tick: 3 }, true)).toEqual({ value: 'c', tick: 3 })
})
