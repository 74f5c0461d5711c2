import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { expect, test } from 'vitest'
import { identifyLag } from './identify-lag.ts'

const HOUR_S = 3600
const TRANSPORT_S = 1800

/**
 * A return temperature sampled every ten minutes from two hours before the move, °C relative to the others.
 */
function respond(lagH: number, swingK: number, hours: number, noiseK = 0.08, seed = 1) {
  const random = createRandom(seed)
  const atS = Array.from({ length: 12 + 6 * hours }, (_, index) => (index - 12) * 600)
  const valueK = atS.map(
    (at) =>
      swingK * (1 - Math.exp(-Math.max(0, at - TRANSPORT_S) / (lagH * HOUR_S))) +
      sampleNormal(random, 0, noiseK),
  )
  return { atS, valueK }
}

test.each([
  ['a radiator', 0.5, 8],
  ['a thick radiator circuit', 1.5, 12],
  ['a screed', 8, 40],
] as const)('the lag of %s is found within a third', (_, lagH, hours) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const found = identifyLag(respond(lagH, -1.5, hours, 0.08, seed), TRANSPORT_S)
    if (found.kind !== 'lag') throw new Error(found.kind)
    expect(Math.abs(Math.log(found.lagS / (lagH * HOUR_S)))).toBeLessThan(Math.log(4 / 3))
    expect(found.mostS).toBeGreaterThanOrEqual(found.lagS)
  }
})

test('six hours of a floor are enough to know that it responds more slowly than a radiator', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const found = identifyLag(respond(9, 2.5, 6, 0.08, seed), TRANSPORT_S)
    expect(found.kind === 'lag' && found.mostS).toBeGreaterThan(4 * HOUR_S)
  }
})

test('a return that does not move identifies nothing; with too few readings even that is unknown', () => {
  for (const seed of [1, 2, 3, 4, 5])
    expect(identifyLag(respond(1, 0, 12, 0.08, seed), TRANSPORT_S).kind).toBe('not-identified')
  expect(identifyLag(respond(1, 3, 1), TRANSPORT_S).kind).toBe('too-few')
  expect(identifyLag(respond(1, 0, 1), TRANSPORT_S).kind).toBe('too-few')
})
