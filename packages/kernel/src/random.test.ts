import { expect, test } from 'vitest'
import { createRandom, createResumableRandom, sampleNormal } from './random.ts'

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('the numbers are those of mulberry32', () => {
  const random = createRandom(0)
  expect([random(), random(), random()]).toEqual([
    0.26642920868471265, 0.0003297457005828619, 0.2232720274478197,
  ])
})

test('a source resumed from its state continues with the same numbers', () => {
  const source = createResumableRandom(7)
  for (let drawn = 0; drawn < 5; drawn++) source.draw()
  const resumed = createResumableRandom(source.state())
  expect(Array.from({ length: 5 }, resumed.draw)).toEqual(Array.from({ length: 5 }, source.draw))
  expect(createResumableRandom(7).draw()).toBe(createRandom(7)())
})

test('a normal draw is the mean plus the transformed uniform numbers', () => {
  const uniform = [0.5, 0]
  expect(sampleNormal(() => uniform.shift() ?? 0, 20, 2)).toBeCloseTo(20 + 2 * Math.sqrt(2 * Math.LN2), 12)
})

test('normal draws have the requested mean and deviation', () => {
  const random = createRandom(1)
  const draws = Array.from({ length: 20_000 }, () => sampleNormal(random, 20, 2))
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length
  const variance = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length
  expect(mean).toBeCloseTo(20, 1)
  expect(Math.sqrt(variance)).toBeCloseTo(2, 1)
})
