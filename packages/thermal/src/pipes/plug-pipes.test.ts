import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { capacityPerMetre, outletTemperature } from './pipe-heat.ts'
import { createPlugPipes, plugHeat, stepPlugPipe } from './plug-pipes.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
/** 200 m of DN100 (inner 107.1 mm, wall 4 mm): 42.5 kJ/(m·K), 0.3 W/(m·K). */
const PER_METRE = capacityPerMetre(metre(0.1071), metre(0.004), 988)
const street = { capacityJK: 200 * PER_METRE, lossWK: 200 * 0.3, startC: 40 }
/** 4 kg/s cross it in 8.5 MJ/K over 16.7 kW/K: 507 s. */
const FLOW = 4
const CROSSING_S = street.capacityJK / (FLOW * 4187)

it('delays a front by the capacity of water and wall over ṁc', () => {
  expect(CROSSING_S).toBeGreaterThan(500)
  expect(CROSSING_S).toBeLessThan(515)
  const pipes = createPlugPipes([{ ...street, lossWK: 0 }])
  for (let second = 1; second <= 600; second++) {
    const out = stepPlugPipe(pipes, 0, FLOW, 60, 10, 1)
    if (second < CROSSING_S - 1) expect(out).toBeCloseTo(40, 9)
    if (second > CROSSING_S + 1) expect(out).toBeCloseTo(60, 9)
  }
})

it('gives the analytic response T_g + (T_in(t − τ) − T_g)·exp(−U′L/ṁc) for any inlet', () => {
  const inlet = (t: number): number => 55 + 8 * Math.sin(t / 400)
  const pipes = createPlugPipes([street], 64)
  const decay = Math.exp(-street.lossWK / (FLOW * 4187))
  let worst = 0
  for (let t = 0; t < 6000; t += 10) {
    const out = stepPlugPipe(pipes, 0, FLOW, inlet(t + 5), 10, 10)
    if (t > 1000) worst = Math.max(worst, Math.abs(out - (10 + (inlet(t + 5 - CROSSING_S) - 10) * decay)))
  }
  expect(worst).toBeLessThan(0.02)
})

it('reaches the analytic outlet temperature, with steps shorter and longer than the transit time', () => {
  for (const stepS of [7, 60, 300, 3600]) {
    const pipes = createPlugPipes([street])
    let out = 0
    for (let t = 0; t < 7200; t += stepS) out = stepPlugPipe(pipes, 0, FLOW, 60, 10, stepS)
    const exact = outletTemperature(celsius(60), celsius(10), 0.3, metre(200), kilogramPerSecond(FLOW))
    expect(Math.abs(out - exact)).toBeLessThan(1e-3)
  }
})

it('gives the same means in one long step as in many short ones', () => {
  for (const longS of [250, 600, 2000]) {
    const once = createPlugPipes([street], 256)
    const often = createPlugPipes([street], 256)
    stepPlugPipe(once, 0, FLOW, 70, 10, 120)
    stepPlugPipe(often, 0, FLOW, 70, 10, 120)
    const mean = stepPlugPipe(once, 0, FLOW, 50, 10, longS)
    let sum = 0
    for (let part = 0; part < 50; part++) sum += stepPlugPipe(often, 0, FLOW, 50, 10, longS / 50) / 50
    expect(Math.abs(mean - sum)).toBeLessThan(0.01)
    expect(Math.abs(plugHeat(once, 0) / plugHeat(often, 0) - 1)).toBeLessThan(1e-4)
  }
})

it('cools water without flow towards the ground, and returns the inflow when the flow reverses', () => {
  const pipes = createPlugPipes([street])
  const out = stepPlugPipe(pipes, 0, 0, 90, 10, 3600)
  expect(out).toBeCloseTo(10 + 30 * Math.exp((-street.lossWK * 3600) / street.capacityJK), 9)
  const turned = createPlugPipes([{ ...street, lossWK: 0 }])
  stepPlugPipe(turned, 0, FLOW, 70, 10, 100)
  expect(stepPlugPipe(turned, 0, -FLOW, 20, 10, 100)).toBeCloseTo(70, 9)
  expect(stepPlugPipe(turned, 0, -FLOW, 20, 10, 100)).toBeCloseTo(40, 9)
})

it('keeps a front sharp although more parcels arrive than fit', () => {
  const pipes = createPlugPipes([{ ...street, lossWK: 0 }], 8)
  for (let second = 0; second < 400; second += 5) stepPlugPipe(pipes, 0, FLOW, 60, 10, 5)
  let below = 0
  for (let second = 400; second < 600; second += 5) {
    const out = stepPlugPipe(pipes, 0, FLOW, 60, 10, 5)
    if (out > 41 && out < 59) below++
  }
  expect(below).toBeLessThanOrEqual(2)
})

it('closes the energy balance of every step and stays within its temperature range', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number(-10, 10), number(-5, 95), number(0.1, 5000)), { minLength: 1, maxLength: 40 }),
      number(0, 15),
      (steps, groundC) => {
        const pipes = createPlugPipes([street], 6)
        let coldest = Math.min(40, groundC)
        let warmest = Math.max(40, groundC)
        for (const [flow, inletC, stepS] of steps) {
          coldest = Math.min(coldest, inletC)
          warmest = Math.max(warmest, inletC)
          const before = plugHeat(pipes, 0)
          const out = stepPlugPipe(pipes, 0, flow, inletC, groundC, stepS)
          expect(out).toBeGreaterThanOrEqual(coldest - 1e-6)
          expect(out).toBeLessThanOrEqual(warmest + 1e-6)
          const brought = Math.abs(flow) * 4187 * (inletC - out) * stepS
          const lost = (pipes.lostW[0] ?? Number.NaN) * stepS
          const gained = plugHeat(pipes, 0) - before
          expect(Math.abs(brought - lost - gained)).toBeLessThan(1e-6 * (Math.abs(brought) + 1e9))
          // The loss corresponds to a possible mean temperature of the pipe.
          expect(lost).toBeLessThanOrEqual(street.lossWK * (warmest - groundC) * stepS + 1e3)
          expect(lost).toBeGreaterThanOrEqual(street.lossWK * (coldest - groundC) * stepS - 1e3)
        }
      },
    ),
  )
})

it('gives finite temperatures for any finite input, and refuses an invalid pipe', () => {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(any, any, any, number(1e-3, 1e6), (flow, inletC, groundC, stepS) => {
      const pipes = createPlugPipes([street])
      for (let step = 0; step < 3; step++) {
        expect(Number.isFinite(stepPlugPipe(pipes, 0, flow, inletC, groundC, stepS))).toBe(true)
      }
    }),
  )
  expect(() => createPlugPipes([{ ...street, capacityJK: 0 }])).toThrow(RangeError)
  expect(() => createPlugPipes([street], 1)).toThrow(RangeError)
  expect(() => stepPlugPipe(createPlugPipes([street]), 0, 1, 50, 10, 0)).toThrow(RangeError)
})
