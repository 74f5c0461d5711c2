import { expect, test } from 'vitest'
import { takeSample } from './use-sampled.ts'

const held = { value: 'a', beat: 1 }

test('what is not sampled is taken whenever it changed', () => {
  expect(takeSample(held, { value: 'b', beat: 1 }, false)).toEqual({ value: 'b', beat: 1 })
  expect(takeSample(held, { value: 'a', beat: 2 }, false)).toBe(held)
})

test('what is sampled is taken once in a beat', () => {
  expect(takeSample(held, { value: 'b', beat: 1 }, true)).toBe(held)
  const next = takeSample(held, { value: 'b', beat: 2 }, true)
  expect(next).toEqual({ value: 'b', beat: 2 })
  expect(takeSample(next, { value: 'c', beat: 2 }, true)).toBe(next)
  expect(takeSample(next, { value: 'c', beat: 3 }, true)).toEqual({ value: 'c', beat: 3 })
})
