import fc from 'fast-check'
import { expect, it } from 'vitest'
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

it('solves any network, also with pairs given twice and in either direction', () => {
  const network = fc.integer({ min: 1, max: 40 }).chain((size) => {
    const unknown = fc.integer({ min: 0, max: size - 1 })
    const value = fc.double({ min: 0.01, max: 100, noNaN: true })
    return fc.record({
      grounds: fc.array(value, { minLength: size, maxLength: size }),
      couplings: fc.array(fc.record({ one: unknown, other: unknown, conductance: value }), {
        maxLength: 120,
      }),
      x: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: size, maxLength: size }),
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
