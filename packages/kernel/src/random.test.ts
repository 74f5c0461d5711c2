import { expect, test } from 'vitest'
import { createRandom, drawNormal } from './random.ts'

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('normal draws have the asked mean and deviation', () => {
  const random = createRandom(1)
  const draws = Array.from({ length: 20_000 }, () => drawNormal(random, 20, 2))
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length
  const variance = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length
  expect(mean).toBeCloseTo(20, 1)
  expect(Math.sqrt(variance)).toBeCloseTo(2, 1)
})
