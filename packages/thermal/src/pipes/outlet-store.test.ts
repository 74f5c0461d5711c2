import { kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { capacityPerMetre, filmConductance, mixedCapacity, wallCapacity } from './pipe-heat.ts'
import { createPlugPipes, plugHeat, stepPlugPipe } from './plug-pipes.ts'

const WATER = 4187
/** 100 m of DN50 (53 mm, wall 3.5 mm) at 0.5 m/s. */
const INNER = metre(0.053)
const WALL = metre(0.0035)
const LENGTH = metre(100)
const FLOW = kilogramPerSecond(0.5 * 988 * (Math.PI / 4) * INNER ** 2)
const wallJMK = wallCapacity(INNER, WALL)
const street = {
  capacityJK: capacityPerMetre(INNER, WALL, 988) * LENGTH,
  lossWK: 30,
  startC: 40,
  mixedJK: mixedCapacity(INNER, wallJMK, LENGTH),
}
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/**
 * Outlet of water and wall as two bodies joined by a film, every 10 s after a jump of the inlet from 40 to 60 °C: the water
 * moves by one cell a step, and each cell exchanges heat with its wall exactly.
 */
function jumpOfTwoBodies(seconds: number): number[] {
  const cells = 4000
  const water = new Float64Array(cells).fill(40)
  const wall = new Float64Array(cells).fill(40)
  const ofWater = (capacityPerMetre(INNER, WALL, 988) - wallJMK) * (LENGTH / cells)
  const ofWall = wallJMK * (LENGTH / cells)
  const stepS = ofWater / (FLOW * WATER)
  const film = filmConductance(INNER, 0.5) * (LENGTH / cells)
  const joined = (ofWater * ofWall) / (ofWater + ofWall)
  const share = joined * -Math.expm1((-film * stepS) / joined)
  const outlets: number[] = []
  let [sum, count, due] = [0, 0, 10]
  for (let t = stepS; due <= seconds; t += stepS) {
    water.copyWithin(1, 0)
    water[0] = 60
    for (let k = 0; k < cells; k++) {
      const heat = share * ((water[k] ?? 0) - (wall[k] ?? 0))
      water[k] = (water[k] ?? 0) - heat / ofWater
      wall[k] = (wall[k] ?? 0) + heat / ofWall
    }
    sum += water[cells - 1] ?? 0
    count++
    if (t < due) continue
    outlets.push(sum / count)
    ;[sum, count, due] = [0, 0, due + 10]
  }
  return outlets
}

it('spreads a front as the film between water and wall does: half the error of an even wall', () => {
  const exact = jumpOfTwoBodies(500)
  const differ = (mixedJK: number): number => {
    const pipes = createPlugPipes([{ ...street, lossWK: 0, mixedJK }], 64)
    const squares = exact.map((outC) => (stepPlugPipe(pipes, 0, FLOW, 60, 10, 10) - outC) ** 2)
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
  }
  expect(exact.at(-1)).toBeGreaterThan(59.9)
  expect(differ(0)).toBeGreaterThan(1)
  expect(differ(street.mixedJK)).toBeLessThan(0.5 * differ(0))
})

it('mixes 0.46 of the wall of 100 m DN50 at 0.5 m/s, hardly more at four times the speed, and at most all of it', () => {
  // Re 47 603, Pr 3.598: Nu = 0.023·5519·1.669 = 211.8, h = π·0.64·211.8 = 425.9 W/(m·K).
  expect(filmConductance(INNER, 0.5)).toBeCloseTo(425.9, 0)
  // ṁc = 1.0898·4187 = 4563 W/K; √(2·4563/(425.9·100)) = 0.4629.
  const share = (speed: number) => mixedCapacity(INNER, wallJMK, LENGTH, speed) / (wallJMK * LENGTH)
  expect(share(0.5)).toBeCloseTo(0.4629, 3)
  expect(share(2) / share(0.5)).toBeCloseTo(4 ** 0.1, 9)
  expect(mixedCapacity(INNER, wallJMK, metre(2))).toBe(2 * wallJMK)
  // Laminar: Nu 4.36.
  expect(filmConductance(INNER, 1e-3)).toBeCloseTo(Math.PI * 0.64 * 4.36, 9)
})

it('gives the same means in one long step as in many short ones, forwards and backwards', () => {
  for (const sign of [1, -1])
    for (const longS of [60, 600, 2000]) {
      const once = createPlugPipes([street], 400)
      const often = createPlugPipes([street], 400)
      stepPlugPipe(once, 0, sign * FLOW, 70, 10, 120)
      stepPlugPipe(often, 0, sign * FLOW, 70, 10, 120)
      const mean = stepPlugPipe(once, 0, sign * FLOW, 50, 10, longS)
      const lost = once.lostW[0] ?? Number.NaN
      let [sum, lostSum] = [0, 0]
      for (let part = 0; part < 100; part++) {
        sum += stepPlugPipe(often, 0, sign * FLOW, 50, 10, longS / 100) / 100
        lostSum += (often.lostW[0] ?? Number.NaN) / 100
      }
      expect(Math.abs(mean - sum), `${sign} ${longS}`).toBeLessThan(0.01)
      expect(lost / lostSum).toBeCloseTo(1, 4)
      expect(once.mixedC[0]).toBeCloseTo(often.mixedC[0] ?? Number.NaN, 2)
      expect(plugHeat(once, 0) / plugHeat(often, 0)).toBeCloseTo(1, 4)
    }
})

it('cools standing water everywhere alike, and shows its outlet', () => {
  const pipes = createPlugPipes([street])
  const decay = Math.exp((-street.lossWK * 3600) / street.capacityJK)
  expect(stepPlugPipe(pipes, 0, 0, 90, 10, 3600)).toBeCloseTo(10 + 30 * decay, 9)
  expect(plugHeat(pipes, 0) / street.capacityJK).toBeCloseTo(10 + 30 * decay, 9)
})

it('closes the energy balance of every step and stays within its temperature range', () => {
  const anySteps = fc.array(fc.tuple(number(-10, 10), number(-5, 95), number(0.1, 5000)), {
    minLength: 1,
    maxLength: 40,
  })
  fc.assert(
    fc.property(anySteps, number(0, 15), number(0, 0.9), (steps, groundC, share) => {
      const pipes = createPlugPipes([{ ...street, mixedJK: share * street.capacityJK }], 6)
      let coldest = Math.min(40, groundC)
      let warmest = Math.max(40, groundC)
      for (const [flow, inletC, stepS] of steps) {
        coldest = Math.min(coldest, inletC)
        warmest = Math.max(warmest, inletC)
        const before = plugHeat(pipes, 0)
        const out = stepPlugPipe(pipes, 0, flow, inletC, groundC, stepS)
        expect(out).toBeGreaterThanOrEqual(coldest - 1e-6)
        expect(out).toBeLessThanOrEqual(warmest + 1e-6)
        const brought = Math.abs(flow) * WATER * (inletC - out) * stepS
        const lost = (pipes.lostW[0] ?? Number.NaN) * stepS
        const gained = plugHeat(pipes, 0) - before
        expect(Math.abs(brought - lost - gained)).toBeLessThan(1e-6 * (Math.abs(brought) + 1e9))
      }
    }),
  )
})

it('stays finite for any finite input', () => {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(any, any, any, number(1e-3, 1e6), (flow, inletC, groundC, stepS) => {
      const pipes = createPlugPipes([street])
      for (let step = 0; step < 3; step++)
        expect(Number.isFinite(stepPlugPipe(pipes, 0, flow, inletC, groundC, stepS))).toBe(true)
    }),
  )
})

test.each([-1, street.capacityJK, Number.NaN])('a mixed part of %s J/K is refused by its pipe', (mixedJK) => {
  expect(() => createPlugPipes([street, { ...street, mixedJK }])).toThrow(/^pipe 1: .* J\/K are mixed$/)
})
