import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { Change } from '../engine/watches.ts'
import { createJournal } from './change-queue.ts'

const toChange = (deviceId: number): Change => ({
  op: 'raised',
  kind: 'room-cold',
  originator: { deviceId },
  at: 1,
})

/** A journal whose store answers as `fail` says; `batches` are those it took. */
function start(fail: (deviceIds: readonly number[]) => Error | undefined) {
  const batches: (readonly number[])[] = []
  const clock = createTestClock()
  const journal = createJournal({
    clock,
    log: createLog({ logLevel: 'silent' }),
    async write(changes) {
      const ids = changes.map(({ originator }) => originator.deviceId ?? 0)
      const error = fail(ids)
      if (error) throw error
      batches.push(ids)
    },
  })
  return { journal, batches, clock }
}

test('what comes together is put down together, in its order', async () => {
  const { journal, batches, clock } = start(() => undefined)
  for (const id of [3, 1, 2]) journal.put(toChange(id))
  expect([...journal.listWaiting()]).toEqual(['d3 room-cold', 'd1 room-cold', 'd2 room-cold'])
  clock.advance(100)
  await journal.flush()
  expect(batches).toEqual([[3, 1, 2]])
  expect(journal.size()).toBe(0)
})

test('while the store is away everything waits, and is put down once it is back', async () => {
  let isAway = true
  const { journal, batches, clock } = start(() => (isAway ? new Error('no database') : undefined))
  journal.put(toChange(1))
  clock.advance(100)
  await journal.flush()
  journal.put(toChange(2))
  expect([batches, journal.size()]).toEqual([[], 2])
  isAway = false
  clock.advance(1_000)
  await journal.flush()
  expect(batches.flat()).toEqual([1, 2])
})

test('what the store will never take is given up alone', async () => {
  const refused = Object.assign(new Error('violates a constraint'), { code: '23503' })
  const { journal, batches } = start((ids) => (ids.includes(5) ? refused : undefined))
  for (let id = 1; id <= 9; id += 1) journal.put(toChange(id))
  await journal.flush()
  expect(batches.flat()).toEqual([1, 2, 3, 4, 6, 7, 8, 9])
  expect(journal.size()).toBe(0)
})
