import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrange, between, MAX_DIGITS, positionOf } from './positions.ts'

const isRising = (positions: readonly string[]): boolean =>
  positions.every((position, index) => index === 0 || `${positions[index - 1]}/` < `${position}/`)

/** Inserts a new sibling at an index. */
const insertAt = (positions: readonly string[], place: number): readonly string[] =>
  arrange([...positions.slice(0, place), undefined, ...positions.slice(place)])

test('positions between any two are between them, in order', () => {
  const position = fc.stringMatching(/^[1-9a-z][0-9a-z]{3}([0-9a-z]{0,4}[1-9a-z])?$/)
  fc.assert(
    fc.property(position, position, fc.integer({ min: 1, max: 50 }), (one, other, count) => {
      if (one === other) return
      const [low, high] = one < other ? [one, other] : [other, one]
      expect(isRising([low, ...between(low, high, count), high])).toBe(true)
      expect(isRising([...between(undefined, low, count), low])).toBe(true)
      expect(isRising([low, ...between(low, undefined, count)])).toBe(true)
    }),
  )
})

test('insertions and removals preserve the order, and the others keep their positions until there is no room', () => {
  const steps = fc.array(fc.record({ place: fc.nat(), removes: fc.boolean() }), { maxLength: 120 })
  fc.assert(
    fc.property(steps, (given) => {
      let positions: readonly string[] = []
      for (const { place, removes } of given) {
        const at = place % (positions.length + 1)
        const before = positions
        positions = removes ? positions.toSpliced(at, 1) : insertAt(positions, at)
        expect(isRising(positions)).toBe(true)
        if (!removes) expect(positions.toSpliced(at, 1)).toEqual(before)
      }
    }),
  )
})

test('moving one sibling moves no other', () => {
  const row = arrange(Array.from({ length: 40 }))
  const moved = [...row.slice(0, 5), row[30], ...row.slice(5, 30), ...row.slice(31)]
  expect(arrange(moved).toSpliced(5, 1)).toEqual(row.toSpliced(30, 1))
})

test('10,000 positions added in order stay short, at the start and at the end', () => {
  let [behind, before]: [readonly string[], readonly string[]] = [[], []]
  for (let count = 0; count < 10_000; count += 1) {
    behind = between(behind.at(0), undefined, 1)
    before = between(undefined, before.at(0), 1)
  }
  expect([behind[0]?.length, before[0]?.length]).toEqual([4, 4])
})

test('without room, all siblings get new positions, and then there is room', () => {
  let row = arrange([undefined, undefined])
  let spreads = 0
  for (let count = 0; count < 300; count += 1) {
    const next = insertAt(row, 1)
    if (next[0] !== row[0]) spreads += 1
    row = next
    expect(isRising(row)).toBe(true)
    expect(Math.max(...row.map(({ length }) => length))).toBeLessThanOrEqual(MAX_DIGITS)
  }
  expect(spreads).toBeGreaterThan(0)
  expect(spreads).toBeLessThan(10)
})

test('a million siblings have distinct positions', () => {
  const row = arrange(Array.from({ length: 1_000_000 }))
  expect(isRising(row)).toBe(true)
  expect(row.at(-1)?.length).toBeLessThanOrEqual(5)
})

test('the last position of a sort path is that of the node itself', () => {
  expect(positionOf('i000/1000/')).toBe('1000')
})
