import { alarmKindNames } from '@isotherm/contract/alarms/alarm-kinds'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWatchTable, toNumber } from './watch-table.ts'
import { isOn, type Originator, type Watch } from './watches.ts'

const KIND = 'device-silent'

const originator: fc.Arbitrary<Originator> = fc.oneof(
  fc.integer({ min: 1, max: 300 }).map((deviceId) => ({ deviceId })),
  fc.integer({ min: 1, max: 300 }).map((nodeId) => ({ nodeId })),
)
const instant = fc.integer({ min: 0, max: 1_000 })
const watch: fc.Arbitrary<Watch> = fc.record({
  kind: fc.constant(KIND),
  originator,
  phase: fc.constantFrom('raising', 'raised', 'clearing'),
  since: instant,
  judgedAt: instant,
  dueAt: fc.option(instant, { nil: undefined }),
  suppressedBy: fc.option(fc.record({ kind: fc.constantFrom(...alarmKindNames), originator }), {
    nil: undefined,
  }),
})
const step = fc.oneof(
  { weight: 2, arbitrary: watch.map((put) => ({ put })) },
  { weight: 1, arbitrary: originator.map((remove) => ({ remove })) },
  { weight: 1, arbitrary: fc.record({ drain: fc.integer({ min: 0, max: 600 }) }) },
)

test('after any changes, the watches and their order are those of a map', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 1_500, size: 'max' }), instant, (steps, now) => {
      const table = createWatchTable(KIND)
      const expected = new Map<number, Watch>()
      for (const each of steps) {
        if ('put' in each) {
          table.put(each.put)
          expected.set(toNumber(each.put.originator), each.put)
        } else if ('remove' in each) {
          table.remove(toNumber(each.remove))
          expected.delete(toNumber(each.remove))
        } else if (each.drain > 590) {
          // Removed while they are listed, as by a review.
          for (const listed of table.list()) table.remove(toNumber(listed.originator))
          expected.clear()
        }
      }
      const all = [...expected.values()]
      expect([...table.list()]).toEqual(all)
      expect([...table.list({ on: true })]).toEqual(all.filter(isOn))
      expect([...table.list({ dueAt: now })]).toEqual(
        all.filter(({ dueAt }) => dueAt !== undefined && dueAt <= now),
      )
      expect(table.count()).toBe(all.length)
      for (let number = -301; number <= 301; number += 1)
        if (number !== 0) expect(table.find(number)).toEqual(expected.get(number))
    }),
    { numRuns: 30 },
  )
})
