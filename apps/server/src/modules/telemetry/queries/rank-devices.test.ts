import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankPage, takeMatching } from './rank-devices.ts'
import type { FindValue } from './state-filter.ts'

const FIELD = 'temp.return'

/** Newest values of the devices 1, 2, …; null for one without. */
const createStates =
  (values: readonly (number | null)[]): FindValue =>
  (id, field) =>
    field === FIELD ? (values[id - 1] ?? undefined) : undefined

const everything = () => true

test('for any values, a page equals the sorted list: devices without a value last, equal ones by id', async () => {
  const value = fc.option(fc.integer({ min: -3, max: 9 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { maxLength: 60 }),
      fc.record({ start: fc.nat(40), size: fc.integer({ min: 1, max: 20 }), desc: fc.boolean() }),
      async (values, page) => {
        const last = page.desc ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
        const ids = values.map((_, index) => index + 1)
        const keyOf = (id: number) => values[id - 1] ?? last
        const sorted = ids.toSorted((left, right) => {
          const [leftKey, rightKey] = [keyOf(left), keyOf(right)]
          return leftKey === rightKey ? left - right : (leftKey < rightKey ? -1 : 1) * (page.desc ? -1 : 1)
        })
        const candidates = ids.toReversed().flatMap((id) => [id, undefined])
        expect(
          await rankPage(
            candidates,
            { findValue: createStates(values), matches: everything, field: FIELD },
            page,
          ),
        ).toEqual({ ids: sorted.slice(page.start, page.start + page.size), total: values.length })
      },
    ),
  )
})

test('devices that do not match are neither ranked nor counted', async () => {
  const findValue = createStates([5, 1, 3])
  const matches = (id: number) => (findValue(id, FIELD) ?? 0) > 2
  expect(
    await rankPage([1, 2, 3], { findValue, matches, field: FIELD }, { start: 0, size: 9, desc: false }),
  ).toEqual({
    ids: [3, 1],
    total: 2,
  })
})

test('only a limited number of matches is returned, but all are counted', async () => {
  expect(await takeMatching([1, undefined, 2, 3, 4], (id) => id !== 2, 2)).toEqual({ ids: [1, 3], total: 3 })
})

test('a scan of 300,000 devices yields to the event loop after some thousand', async () => {
  const ids = Array.from({ length: 300_000 }, (_, index) => index + 1)
  const findValue = createStates(ids.map((id) => (id * 7919) % 1_000))
  for (const look of [
    () => rankPage(ids, { findValue, matches: everything, field: FIELD }, { start: 0, size: 20, desc: true }),
    () => takeMatching(ids, everything, 20),
  ]) {
    let isDone = false
    let turns = 0
    const looking = look().finally(() => {
      isDone = true
    })
    for (; !isDone; turns += 1) await turn()
    expect((await looking).total).toBe(300_000)
    expect(turns).toBeGreaterThanOrEqual(30)
  }
})
