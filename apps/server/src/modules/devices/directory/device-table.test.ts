import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeviceTable } from './device-table.ts'

const id = fc.integer({ min: 1, max: 2_500 })
const tenant = fc.constantFrom('demo', 'other')
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ id, tenant, serial: fc.integer({ min: 1, max: 3_000 }).map((n) => `11${n}`) }),
  },
  { weight: 1, arbitrary: fc.record({ removed: id }) },
)

test('after any changes, devices are found by id and by name as in a list', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6_000, size: 'max' }), (steps) => {
      const table = createDeviceTable()
      /** In the order in which they were stored. */
      const expected = new Map<number, { id: number; tenant: string; serial: string }>()
      for (const each of steps) {
        if ('removed' in each) {
          table.remove(each.removed)
          expected.delete(each.removed)
        } else {
          table.put(each)
          expected.delete(each.id)
          expected.set(each.id, each)
        }
      }
      const byName = new Map([...expected.values()].map((each) => [`${each.tenant} ${each.serial}`, each]))
      expect([...table.entries()]).toEqual([...expected.values()].toSorted((a, b) => a.id - b.id))
      for (let each = 0; each <= 2_501; each += 1) expect(table.findById(each)).toBe(expected.get(each))
      for (let each = 0; each <= 3_001; each += 1)
        for (const of of ['demo', 'other', 'nobody'])
          expect(table.find(of, `11${each}`)).toBe(byName.get(`${of} 11${each}`))
    }),
    { numRuns: 10 },
  )
})
