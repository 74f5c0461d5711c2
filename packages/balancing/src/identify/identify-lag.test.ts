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
    expect(found.maxS).toBeGreaterThanOrEqual(found.lagS)
  }
})

test('six hours of a floor are enough to know that it responds more slowly than a radiator', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const found = identifyLag(respond(9, 2.5, 6, 0.08, seed), TRANSPORT_S)
    expect(found.kind === 'lag' && found.maxS).toBeGreaterThan(4 * HOUR_S)
  }
})

test('a return that does not move identifies nothing; with too few readings even that is unknown', () => {
  for (const seed of [1, 2, 3, 4, 5])
    expect(identifyLag(respond(1, 0, 12, 0.08, seed), TRANSPORT_S).kind).toBe('not-identified')
  expect(identifyLag(respond(1, 3, 1), TRANSPORT_S).kind).toBe('too-few')
  expect(identifyLag(respond(1, 0, 1), TRANSPORT_S).kind).toBe('too-few')
})

test('without noise the lag is found exactly, and no longer one is as good', () => {
  for (const steps of [0, 5, 15]) {
    const lagH = (600 * 1.2 ** steps) / HOUR_S
    for (const swingK of [-1.5, 0.4]) {
      const found = identifyLag(respond(lagH, swingK, 30, 0), TRANSPORT_S)
      expect(found).toEqual({
        kind: 'lag',
        lagS: expect.closeTo(lagH * HOUR_S, 6),
        maxS: expect.closeTo(lagH * HOUR_S, 6),
      })
    }
  }
})

test('more noise allows longer lags', () => {
  const max = (noiseK: number) => {
    const found = identifyLag(respond(3, 2, 12, noiseK, 4), TRANSPORT_S)
    return found.kind === 'lag' ? found.maxS / found.lagS : 0
  }
  expect(max(0.5)).toBeGreaterThan(1.3 * max(0.02))
  expect(max(0.02)).toBeLessThan(1.3)
})

test('eight readings after the water has arrived are enough, seven are not', () => {
  const readings = (count: number) => {
    const { atS, valueK } = respond(0.2, 2, 12, 0)
    // The reading at 1,800 s, when the water arrives, does not count.
    const left = atS.filter((at) => at <= TRANSPORT_S).length + count
    return { atS: atS.slice(0, left), valueK: valueK.slice(0, left) }
  }
  expect(identifyLag(readings(7), TRANSPORT_S).kind).toBe('too-few')
  expect(identifyLag(readings(8), TRANSPORT_S).kind).toBe('lag')
})

test('a swing of no more than 0.3 K, or one within the noise, identifies nothing', () => {
  expect(identifyLag(respond(1, 0.29, 30, 0), TRANSPORT_S).kind).toBe('not-identified')
  expect(identifyLag(respond(1, -0.31, 30, 0), TRANSPORT_S).kind).toBe('lag')
  // 2 K of which only an eighth has been seen yet.
  expect(identifyLag(respond(15, 2, 2.5, 0), TRANSPORT_S).kind).toBe('not-identified')
  for (const seed of [1, 2, 3])
    expect(identifyLag(respond(1, 0.5, 4, 1.5, seed), TRANSPORT_S).kind).toBe('not-identified')
})
