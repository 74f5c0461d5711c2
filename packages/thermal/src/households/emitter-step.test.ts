import { expect, it, test } from 'vitest'
import { meanExcess, signedPower } from './emitter.ts'
import { solveEmitterStep } from './emitter-step.ts'

type Balance = Parameters<typeof solveEmitterStep>[0]

/** A radiator of 90 m² (EN 442) with water at 0.07 kg/s, 20 K above its room, whose supply is 30 K above it. */
const radiator: Balance = {
  isFloor: false,
  coefficient: 50,
  exponent: 1.3,
  capacity: 4e5,
  gain: 300,
  inlet: 30,
  start: 20,
}
const screed: Balance = {
  ...radiator,
  isFloor: true,
  coefficient: 640,
  exponent: 1.1,
  capacity: 1e7,
  start: 4,
}

function advance(balance: Balance, stepS: number) {
  const result = { mean: Number.NaN, end: Number.NaN, taken: Number.NaN }
  solveEmitterStep(balance, stepS, result)
  return result
}

/** Heat of the body at an excess x, W. */
const givenAt = (e: Balance, x: number): number =>
  e.coefficient * signedPower(e.isFloor ? x : meanExcess(e.inlet, x), e.exponent)

/** The x at which a falling function is zero. */
function bisect(from: number, to: number, falling: (x: number) => number): number {
  let [low, high] = [from, to]
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    if (falling(middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * The step by docs/domain/formulas.md, "step of an emitter": C·(x₁ − x₀)/Δt = F(x_m), x₁ = x₀ + (x_m − x₀)/θ,
 * θ = 1/(1 − e^−z) − 1/z, z = −F′(x₀)·Δt/C; θ = 1 where x₁ would leave its bounds.
 */
function stepByFormula(e: Balance, stepS: number, slope: number) {
  const [low, high] = [Math.min(e.start, e.inlet, 0), Math.max(e.start, e.inlet, 0)]
  const solve = (share: number): number =>
    bisect(
      low,
      high,
      (x) => ((e.capacity / stepS) * (e.start - x)) / share + e.gain * (e.inlet - x) - givenAt(e, x),
    )
  const z = ((e.gain + slope) * stepS) / e.capacity
  const share = 1 / (1 - Math.exp(-z)) - 1 / z
  const mean = solve(share)
  const end = e.start + (mean - e.start) / share
  const isInside = end >= low && end <= high
  return { mean: isInside ? mean : solve(1), end: isInside ? end : solve(1), isInside }
}

/** Derivative of the heat at the start, W/K, by a central difference. */
const slopeOf = (e: Balance): number => (givenAt(e, e.start + 1e-5) - givenAt(e, e.start - 1e-5)) / 2e-5

test.each<[string, Partial<Balance>, number]>([
  ['whose supply is warmer', {}, 120],
  ['whose supply is hardly warmer: its mean changes by half', { start: 30 - 1e-3 }, 300],
  ['whose supply has just dropped: it has the temperature of its outlet', { inlet: 15 }, 300],
  ['that is colder than its room, with a colder supply', { start: -5, inlet: -15 }, 120],
  ['that is colder than its room, with a warm supply', { start: -5 }, 120],
  ['with a linear law', { exponent: 1 }, 300],
  ['with little flow', { gain: 3 }, 300],
  ['without flow', { gain: 0, inlet: 0 }, 300],
  ['in a step far longer than its time constant', { capacity: 5e3 }, 300],
])('a radiator %s ends where the formula says', (_, change, stepS) => {
  const balance = { ...radiator, ...change }
  const expected = stepByFormula(balance, stepS, slopeOf(balance))
  const { mean, end, taken } = advance(balance, stepS)
  expect(expected.isInside).toBe(true)
  expect(mean).toBeCloseTo(expected.mean, 7)
  expect(end).toBeCloseTo(expected.end, 7)
  expect(taken).toBeCloseTo(balance.gain * (balance.inlet - expected.mean), 4)
})

test.each<[string, Partial<Balance>, number]>([
  ['of 1.1 (EN 1264)', {}, 0],
  ['of 1.1, colder than its room', { start: -3, inlet: -10 }, 0],
  ['of 1', { exponent: 1 }, 0],
])('a screed with an exponent %s ends where the formula says, also from room temperature', (_, change) => {
  const balance = { ...screed, ...change }
  const expected = stepByFormula(balance, 300, slopeOf(balance))
  expect(advance(balance, 300).end).toBeCloseTo(expected.end, 9)
  // At room temperature K·x^n has the slope K if n = 1, and otherwise none.
  const cold = { ...balance, start: 0 }
  const slope = cold.exponent === 1 ? cold.coefficient : 0
  const end = advance(cold, 3e5).end
  expect(end).toBeCloseTo(stepByFormula(cold, 3e5, slope).end, 7)
})

test('a radiator at room temperature without a warmer supply has the slope K if its law is linear, and otherwise none', () => {
  for (const exponent of [1, 1.3]) {
    const balance = { ...radiator, exponent, start: 0, inlet: -20 }
    const slope = exponent === 1 ? balance.coefficient : 0
    expect(advance(balance, 600).end).toBeCloseTo(stepByFormula(balance, 600, slope).end, 7)
  }
})

test('a step that would go below the room ends at the balance of its end: 4 kW/K beside 0.3 kW/K of water', () => {
  const balance = { ...radiator, coefficient: 4_000, exponent: 1, capacity: 400, inlet: 80, start: 7 }
  const expected = stepByFormula(balance, 0.05, slopeOf(balance))
  expect(expected.isInside).toBe(false)
  const { mean, end } = advance(balance, 0.05)
  expect(end).toBeCloseTo(expected.end, 6)
  expect(mean).toBe(end)
})

it('is exact for a linear law in steps of any length: x₀ + (x∞ − x₀)·(1 − e^−z)', () => {
  for (const z of [1e-12, 9e-4, 1.1e-3, 0.1, 1, 5, 20]) {
    const balance = { ...screed, exponent: 1, start: 0 }
    const settled = (balance.gain * balance.inlet) / (balance.gain + balance.coefficient)
    const stepS = (z * balance.capacity) / (balance.gain + balance.coefficient)
    expect(advance(balance, stepS).end / settled / -Math.expm1(-z)).toBeCloseTo(1, 9)
  }
})

it('cools to room temperature where rounding puts the end of a long step outside its bounds', () => {
  for (let start = 60; start < 80; start += 0.37) {
    const balance = { ...screed, exponent: 1, gain: 0, inlet: 0, start }
    const end = advance(balance, (39 * balance.capacity) / balance.coefficient).end
    expect(end, `from ${start} K`).toBeGreaterThanOrEqual(0)
    expect(end, `from ${start} K`).toBeLessThan(1e-6)
  }
})

/** How often a step evaluates the law of its emitter. */
function countLaws(change: Partial<Balance>, stepS: number): number {
  const { coefficient, ...rest } = { ...radiator, ...change }
  let count = 0
  const counted: Balance = Object.defineProperty({ ...rest, coefficient }, 'coefficient', {
    get: () => {
      count += 1
      return coefficient
    },
  })
  advance(counted, stepS)
  return count
}

test('a usual step evaluates the law two or three times, and a sudden change a few times more', () => {
  for (const change of [{}, { inlet: 15 }, { gain: 30 }, { start: 24 }, { isFloor: true }])
    expect(countLaws(change, 300), JSON.stringify(change)).toBeLessThanOrEqual(3)
  expect(countLaws({ start: -5, inlet: -15 }, 300)).toBeLessThanOrEqual(3)
  expect(countLaws({ start: -20, inlet: 60 }, 300)).toBeLessThanOrEqual(8)
})
