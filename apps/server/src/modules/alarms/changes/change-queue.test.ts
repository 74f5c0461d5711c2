import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import type { Change } from '../engine/watches.ts'
import { createChangeQueue } from './change-queue.ts'

const toChange = (deviceId: number): Change => ({
  op: 'raised',
  kind: 'room-cold',
  originator: { deviceId },
  at: 1,
})

/** A queue whose store fails with the result of `fail`; `batches` are the stored batches. */
function start(fail: (deviceIds: readonly number[]) => Error | undefined) {
  const batches: (readonly number[])[] = []
  const clock = createTestClock()
  const queue = createChangeQueue({
    clock,
    log: createLog({ logLevel: 'silent' }),
    async write(changes) {
      const ids = changes.map(({ originator }) => originator.deviceId ?? 0)
      const error = fail(ids)
      if (error) throw error
      batches.push(ids)
    },
  })
  return { queue, batches, clock }
}

test('changes within a short time are stored together, in order', async () => {
  const { queue, batches, clock } = start(() => undefined)
  for (const id of [3, 1, 2]) queue.put(toChange(id))
  expect(queue.listWaiting()).toEqual([3, 1, 2].map(toChange))
  clock.advance(100)
  await queue.flush()
  expect(batches).toEqual([[3, 1, 2]])
  expect(queue.size()).toBe(0)
})

test('changes wait while the database is unavailable, and are stored once it is back', async () => {
  let isAway = true
  const { queue, batches, clock } = start(() => (isAway ? new Error('no database') : undefined))
  queue.put(toChange(1))
  clock.advance(100)
  await queue.flush()
  queue.put(toChange(2))
  expect([batches, queue.size()]).toEqual([[], 2])
  isAway = false
  clock.advance(1_000)
  await queue.flush()
  expect(batches.flat()).toEqual([1, 2])
})

test('a change that the database rejects is dropped alone', async () => {
  const refused = Object.assign(new Error('violates a constraint'), { code: '23503' })
  const { queue, batches } = start((ids) => (ids.includes(5) ? refused : undefined))
  for (let id = 1; id <= 9; id += 1) queue.put(toChange(id))
  await queue.flush()
  expect(batches.flat()).toEqual([1, 2, 3, 4, 6, 7, 8, 9])
  expect(queue.size()).toBe(0)
})
