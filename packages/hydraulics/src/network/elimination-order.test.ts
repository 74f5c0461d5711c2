import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderByMinimumDegree } from './elimination-order.ts'

type Pair = readonly [number, number]

function toNeighbours(size: number, pairs: readonly Pair[]): Set<number>[] {
  const neighbours = Array.from({ length: size }, () => new Set<number>())
  for (const [one, other] of pairs) {
    if (one === other) continue
    neighbours[one]?.add(other)
    neighbours[other]?.add(one)
  }
  return neighbours
}

/** Eliminates in the given order. Returns the degree of each unknown when it is eliminated, and the smallest degree then. */
function replay(size: number, pairs: readonly Pair[], order: Iterable<number>) {
  const left = new Map(toNeighbours(size, pairs).entries())
  const turns: { readonly degree: number; readonly least: number }[] = []
  for (const unknown of order) {
    const around = left.get(unknown) ?? new Set()
    turns.push({
      degree: around.size,
      least: Math.min(...Array.from(left.values(), (its) => its.size)),
    })
    left.delete(unknown)
    for (const one of around) {
      left.get(one)?.delete(unknown)
      for (const other of around) if (other !== one) left.get(one)?.add(other)
    }
  }
  return turns
}

const anyGraph = fc.integer({ min: 1, max: 20 }).chain((size) => {
  const node = fc.integer({ min: 0, max: size - 1 })
  return fc.record({ size: fc.constant(size), pairs: fc.array(fc.tuple(node, node), { maxLength: 60 }) })
})

it('takes each unknown once, and always one with the fewest remaining neighbours', () => {
  fc.assert(
    fc.property(anyGraph, ({ size, pairs }) => {
      const order = [...orderByMinimumDegree(toNeighbours(size, pairs))]
      expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, unknown) => unknown))
      for (const { degree, least } of replay(size, pairs, order)) expect(degree).toBe(least)
    }),
  )
})

it('takes the leaves of a star before its centre', () => {
  const pairs: Pair[] = [1, 2, 3, 4, 5].map((leaf) => [0, leaf])
  const order = [...orderByMinimumDegree(toNeighbours(6, pairs))]
  expect(order.indexOf(0)).toBeGreaterThanOrEqual(4)
  expect(replay(6, pairs, order).map(({ degree }) => degree)).toEqual([1, 1, 1, 1, 1, 0])
})

it('connects the neighbours of an unknown: a ring of six has degrees 2, 2, 2, 2, 1, 0', () => {
  const pairs: Pair[] = [0, 1, 2, 3, 4, 5].map((unknown) => [unknown, (unknown + 1) % 6])
  const order = orderByMinimumDegree(toNeighbours(6, pairs))
  expect(replay(6, pairs, order).map(({ degree }) => degree)).toEqual([2, 2, 2, 2, 1, 0])
})

it('takes an unknown later if it gets new neighbours meanwhile', () => {
  // 0 and 1 share 2 and 3, of which 3 belongs to a full group of five: 2 and then 0 or 1 go first.
  const group: Pair[] = [3, 4, 5, 6, 7].flatMap((one) =>
    [4, 5, 6, 7].filter((other) => other > one).map((other): Pair => [one, other]),
  )
  const pairs: Pair[] = [[0, 2], [1, 2], [0, 3], [1, 3], ...group]
  const order = [...orderByMinimumDegree(toNeighbours(8, pairs))]
  for (const { degree, least } of replay(8, pairs, order)) expect(degree).toBe(least)
  expect(order.slice(0, 3).toSorted()).toEqual([0, 1, 2])
})

it('returns no order for no unknowns', () => {
  expect([...orderByMinimumDegree([])]).toEqual([])
})
