import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIdColumn } from './id-column.ts'

test('a column returns the last number of each id, like a map', () => {
  const step = fc.tuple(fc.nat(5_000), fc.double())
  fc.assert(
    fc.property(fc.array(step), fc.array(fc.nat(10_000)), (steps, lookups) => {
      const column = createIdColumn()
      for (const [id, value] of steps) column.put(id, value)
      const expected = new Map(steps)
      for (const id of [...lookups, ...expected.keys()])
        expect(column.get(id)).toBe(expected.get(id) ?? Number.NaN)
    }),
  )
})
