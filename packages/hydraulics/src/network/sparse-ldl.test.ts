import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyNumber } from '../elements/even-numbers.testkit.ts'
import { createSparseLdl, factorise, solveFactorised } from './sparse-ldl.ts'

interface Coupling {
  readonly one: number
  readonly other: number
  readonly conductance: number
}

/** The matrix of a network of conductances; `grounds` connects each unknown to a fixed point. */
function createSystem(grounds: readonly number[], couplings: readonly Coupling[]) {
  const ldl = createSparseLdl(
    grounds.length,
    Int32Array.from(couplings, ({ one }) => one),
    Int32Array.from(couplings, ({ other }) => other),
  )
  ldl.diagonal.set(grounds)
  couplings.forEach(({ one, other, conductance }, index) => {
    const slot = ldl.slotOfPair[index] ?? -1
    ldl.offDiagonal[slot] = (ldl.offDiagonal[slot] ?? 0) - conductance
    for (const unknown of [one, other]) ldl.diagonal[unknown] = (ldl.diagonal[unknown] ?? 0) + conductance
  })
  return ldl
}

/** b = A·x computed from the couplings themselves. */
function multiply(
  grounds: readonly number[],
  couplings: readonly Coupling[],
  x: readonly number[],
): number[] {
  const b = grounds.map((ground, unknown) => ground * (x[unknown] ?? 0))
  for (const { one, other, conductance } of couplings) {
    const flow = conductance * ((x[one] ?? 0) - (x[other] ?? 0))
    b[one] = (b[one] ?? 0) + flow
    b[other] = (b[other] ?? 0) - flow
  }
  return b
}

it('solves three unknowns in a row, as computed by hand', () => {
  // 2x − y = 1, −x + 2y − z = 0, −y + 2z = 1 has x = y = z = 1.
  const couplings = [
    { one: 0, other: 1, conductance: 1 },
    { one: 2, other: 1, conductance: 1 },
  ]
  const ldl = createSystem([1, 0, 1], couplings)
  const vector = Float64Array.of(1, 0, 1)
  expect(factorise(ldl)).toBe(true)
  solveFactorised(ldl, vector)
  expect([...vector]).toEqual([1, 1, 1].map((value) => expect.closeTo(value, 14)))
})

it('refuses a matrix without a connection to a fixed point', () => {
  expect(factorise(createSystem([0, 0], [{ one: 0, other: 1, conductance: 1 }]))).toBe(false)
})

it('has one value for a pair of unknowns, in whichever direction it is given', () => {
  const ldl = createSparseLdl(4, Int32Array.of(0, 2, 1, 3, 1), Int32Array.of(1, 1, 0, 2, 2))
  expect([...ldl.slotOfPair]).toEqual([0, 1, 0, 2, 1])
  expect(ldl.offDiagonal).toHaveLength(3)
})

it('refuses a matrix that is not positive definite, or holds no number, and factorises the next one', () => {
  const couplings = [
    { one: 0, other: 1, conductance: 1 },
    { one: 1, other: 2, conductance: 1 },
    { one: 2, other: 0, conductance: 1 },
  ]
  const ldl = createSystem([1, 1, 1], couplings)
  const sound = { diagonal: ldl.diagonal.slice(), offDiagonal: ldl.offDiagonal.slice() }
  for (const [diagonal, offDiagonal] of [
    [
      [3, 3, 3],
      [-1, -4, -1],
    ],
    [
      [0, 3, 3],
      [-1, -1, -1],
    ],
    [
      [-3, 3, 3],
      [-1, -1, -1],
    ],
    [
      [3, 3, 3],
      [-1, -1, Number.NaN],
    ],
  ] as const) {
    ldl.diagonal.set(diagonal)
    ldl.offDiagonal.set(offDiagonal)
    expect(factorise(ldl)).toBe(false)
    ldl.diagonal.set(sound.diagonal)
    ldl.offDiagonal.set(sound.offDiagonal)
    expect(factorise(ldl)).toBe(true)
    // x = (1, 2, 3) has b = A·x = (1 + (1−2) + (1−3), …).
    const vector = Float64Array.from(multiply([1, 1, 1], couplings, [1, 2, 3]))
    expect([...vector]).toEqual([-2, 2, 6])
    solveFactorised(ldl, vector)
    expect([...vector]).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 12)))
  }
})

it('solves again with new values and another right side', () => {
  const couplings = [0, 1, 2, 3, 4].map((one) => ({ one, other: (one + 1) % 5, conductance: one + 1 }))
  const ldl = createSystem([1, 0, 0, 0, 0], couplings)
  const x = [5, 4, -3, 2, 1]
  for (const factor of [1, 3]) {
    const grounds = [factor, 0, 0, 0, 0]
    const scaled = couplings.map(({ conductance, ...ends }) => ({
      ...ends,
      conductance: factor * conductance,
    }))
    ldl.diagonal.set(createSystem(grounds, scaled).diagonal)
    ldl.offDiagonal.set(createSystem(grounds, scaled).offDiagonal)
    expect(factorise(ldl)).toBe(true)
    for (const sign of [1, -1]) {
      const vector = Float64Array.from(
        multiply(
          grounds,
          scaled,
          x.map((value) => sign * value),
        ),
      )
      solveFactorised(ldl, vector)
      expect([...vector]).toEqual(x.map((value) => expect.closeTo(sign * value, 11)))
    }
  }
})

it('fills a ring of n with n − 3 entries: 9 for six unknowns', () => {
  const ring = [0, 1, 2, 3, 4, 5]
  const ldl = createSparseLdl(
    6,
    Int32Array.from(ring),
    Int32Array.from(ring, (one) => (one + 1) % 6),
  )
  expect(ldl.factorSize).toBe(6 + 3)
})

it('solves any network, also with pairs given twice and in either direction', () => {
  const network = fc.integer({ min: 1, max: 40 }).chain((size) => {
    const unknown = fc.integer({ min: 0, max: size - 1 })
    const value = anyNumber(0.01, 100)
    return fc.record({
      grounds: fc.array(value, { minLength: size, maxLength: size }),
      couplings: fc.array(fc.record({ one: unknown, other: unknown, conductance: value }), {
        maxLength: 120,
      }),
      x: fc.array(anyNumber(-10, 10), { minLength: size, maxLength: size }),
    })
  })
  fc.assert(
    fc.property(network, ({ grounds, couplings: drawn, x }) => {
      const couplings = drawn.filter(({ one, other }) => one !== other)
      const ldl = createSystem(grounds, couplings)
      const vector = Float64Array.from(multiply(grounds, couplings, x))
      expect(factorise(ldl)).toBe(true)
      solveFactorised(ldl, vector)
      expect([...vector]).toEqual(x.map((value) => expect.closeTo(value, 7)))
    }),
  )
})

it('has no fill-in for a tree and little for a grid of 50 by 50', () => {
  const size = 2500
  const children = Array.from({ length: size - 1 }, (_, index) => index + 1)
  const tree = createSparseLdl(
    size,
    Int32Array.from(children),
    Int32Array.from(children, (child) => Math.floor((child - 1) / 3)),
  )
  expect(tree.factorSize).toBe(size - 1)
  const right = children.filter((unknown) => unknown % 50 !== 0)
  const down = children.filter((unknown) => unknown >= 50)
  const grid = createSparseLdl(
    size,
    Int32Array.from([...right, ...down]),
    Int32Array.from([...right.map((unknown) => unknown - 1), ...down.map((unknown) => unknown - 50)]),
  )
  expect(grid.factorSize).toBeLessThan(60_000)
})
