import { expect, test } from 'vitest'
import { createRandom, createResumableRandom, drawNormal } from './random.ts'

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('a source resumed from its state goes on with the same numbers', () => {
  const source = createResumableRandom(7)
  for (let drawn = 0; drawn < 5; drawn++) source.draw()
  const resumed = createResumableRandom(source.state())
  expect(Array.from({ length: 5 }, resumed.draw)).toEqual(Array.from({ length: 5 }, source.draw))
  expect(createResumableRandom(7).draw()).toBe(createRandom(7)())
})

test('normal draws have the asked mean and deviation', () => {
  const random = createRandom(1)
  const draws = Array.from({ length: 20_000 }, () => drawNormal(random, 20, 2))
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length
  const variance = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length
  expect(mean).toBeCloseTo(20, 1)
  expect(Math.sqrt(variance)).toBeCloseTo(2, 1)
})
