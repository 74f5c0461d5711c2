import { expect, test } from 'vitest'
import type { BucketQuery, HistoryQuery, HistoryStore } from './queries/history-store.ts'
import { limitQueries } from './query-limits.ts'

const range = { deviceIds: [1], metricIds: [1], from: 0, to: 1 }
const query: BucketQuery & HistoryQuery = { ...range, level: 'day', columns: ['avg'], maxPoints: 10 }

/** Stores that answer when the test lets them. */
function createHeld() {
  const open = { curves: 0, sums: 0 }
  const held = Promise.withResolvers<void>()
  const hold = async (kind: keyof typeof open) => {
    open[kind] += 1
    await held.promise
    return []
  }
  const history: HistoryStore = {
    readCurves: () => hold('curves'),
    readBuckets: () => hold('sums'),
    readSpread: () => hold('sums'),
  }
  const exports = { count: async () => (await hold('sums')).length, read: async function* () {} }
  return { open, let: held.resolve, stores: limitQueries(history, exports) }
}

test('three queries over a company run at the same time, and curves do not wait for them', async () => {
  const { open, let: letGo, stores } = createHeld()
  const sums = Array.from({ length: 10 }, () => stores.history.readBuckets(query))
  const counted = stores.exports.count({ ...query, level: 'day' })
  const curves = Array.from({ length: 10 }, () => stores.history.readCurves(query))
  await Promise.resolve()
  expect(open).toEqual({ curves: 6, sums: 3 })
  letGo()
  await Promise.all([...sums, ...curves, counted])
  expect(open).toEqual({ curves: 10, sums: 11 })
})

test('one query too many is refused', async () => {
  const { let: letGo, stores } = createHeld()
  const asked = Array.from({ length: 33 }, () => stores.history.readBuckets(query))
  await expect(stores.history.readBuckets(query)).rejects.toMatchObject({ code: 'request.too-many' })
  letGo()
  await Promise.all(asked)
})
