import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { createWriteQueue, type WriteQueueOptions } from './write-queue.ts'

class Refusal extends Error {}

/** A queue whose writes end when the test ends them. Negative numbers are refused. */
function createBench(options: Partial<WriteQueueOptions<number>> = {}) {
  const clock = createTestClock()
  const writes: { readonly items: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = []
  const refused: number[] = []
  const failed: (readonly number[])[] = []
  const queue = createWriteQueue<number>({
    clock,
    gatherMs: 100,
    async write(items) {
      if (items.some((item) => item < 0)) throw new Refusal()
      const end = Promise.withResolvers<void>()
      writes.push({ items, end })
      await end.promise
    },
    isRefusal: (error) => error instanceof Refusal,
    onRefused: ({ item }) => refused.push(item),
    onFailed: (_, items) => failed.push(items),
    ...options,
  })
  const settle = async (act: (end: PromiseWithResolvers<void>) => void) => {
    const last = writes.at(-1)
    if (last) act(last.end)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    clock,
    queue,
    refused,
    failed,
    listWrites: () => writes.map(({ items }) => items),
    put(...items: readonly number[]) {
      for (const item of items) queue.put(item)
    },
    end: () => settle(({ resolve }) => resolve()),
    fail: () => settle(({ reject }) => reject(new Error('the store is unavailable'))),
  }
}

test('items that arrive within the time to gather are written together, in order', async () => {
  const { clock, queue, put, listWrites, end } = createBench()
  put(3, 1)
  clock.advance(99)
  put(2)
  expect(listWrites()).toEqual([])
  clock.advance(1)
  expect(listWrites()).toEqual([[3, 1, 2]])
  expect(queue.listWaiting()).toEqual([3, 1, 2])
  await end()
  expect(queue.size()).toBe(0)
})

test('items that arrive during a write are gathered, and written after it', async () => {
  const { clock, put, listWrites, end } = createBench()
  put(1)
  clock.advance(100)
  put(2)
  clock.advance(100)
  put(3)
  expect(listWrites()).toEqual([[1]])
  await end()
  expect(listWrites()).toEqual([[1], [2]])
  await end()
  clock.advance(100)
  expect(listWrites()).toEqual([[1], [2], [3]])
})

test('without a time to gather an item is written at once, and the next ones after that write', async () => {
  const { put, listWrites, end } = createBench({ gatherMs: 0 })
  put(1, 2, 3)
  expect(listWrites()).toEqual([[1]])
  await end()
  expect(listWrites()).toEqual([[1], [2, 3]])
})

test('a batch has at most the maximum number of items, and ends where the caller splits it', async () => {
  const isSameSign = (items: readonly number[]): number => {
    const other = items.findIndex((item) => item % 2 !== (items[0] ?? 0) % 2)
    return other === -1 ? items.length : other
  }
  const { clock, put, listWrites, end } = createBench({ maxBatch: 3, countBatch: isSameSign })
  put(2, 4, 6, 8, 1, 3, 10)
  clock.advance(100)
  for (let write = 0; write < 4; write += 1) await end()
  expect(listWrites()).toEqual([[2, 4, 6], [8], [1, 3], [10]])
})

test('items of a failed write are retried before later ones, after a pause', async () => {
  const { clock, queue, put, listWrites, fail, end, failed } = createBench({ retryMs: 1_000 })
  put(1, 2)
  clock.advance(100)
  await fail()
  expect(failed).toEqual([[1, 2]])
  put(3)
  clock.advance(999)
  expect(listWrites()).toHaveLength(1)
  expect(queue.listWaiting()).toEqual([1, 2, 3])
  clock.advance(1)
  expect(listWrites().at(-1)).toEqual([1, 2, 3])
  await end()
  expect(queue.size()).toBe(0)
})

test('without a retry pause the items of a failed write leave the queue, and later ones are written', async () => {
  const { clock, queue, put, listWrites, fail, failed } = createBench({ maxBatch: 2 })
  put(1, 2, 3)
  clock.advance(100)
  await fail()
  expect(failed).toEqual([[1, 2]])
  expect(listWrites()).toEqual([[1, 2], [3]])
  expect(queue.listWaiting()).toEqual([3])
})

test('items that the store refuses are reported alone, and all others are stored once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: -20, max: 20 })), async (items) => {
      const stored: number[] = []
      const { queue, put, refused, failed } = createBench({
        async write(some) {
          if (some.some((item) => item < 0)) throw new Refusal()
          stored.push(...some)
        },
      })
      put(...items)
      await queue.flush()
      expect(stored).toEqual(items.filter((item) => item >= 0))
      expect(refused).toEqual(items.filter((item) => item < 0))
      expect(failed).toEqual([])
      expect(queue.size()).toBe(0)
    }),
  )
})

test('a part that was stored before its batch failed is not stored again', async () => {
  const { clock, put, queue, listWrites, fail, end, refused } = createBench({ retryMs: 1_000 })
  put(1, 2, -3, 4)
  clock.advance(100)
  await new Promise((resolve) => setImmediate(resolve))
  await end()
  await fail()
  expect(listWrites()).toEqual([[1, 2], [4]])
  expect(queue.listWaiting()).toEqual([-3, 4])
  clock.advance(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  await end()
  expect(listWrites()).toEqual([[1, 2], [4], [4]])
  expect([refused, queue.size()]).toEqual([[-3], 0])
})

test('above the limit the older half of the waiting items is dropped, but not those in a write', async () => {
  const dropped: number[] = []
  const { clock, queue, put, end, listWrites } = createBench({
    overflow: { maxWaiting: 4, onDropped: (count) => dropped.push(count) },
  })
  put(1)
  clock.advance(100)
  put(2, 3, 4)
  expect(dropped).toEqual([])
  put(5)
  expect(dropped).toEqual([2])
  expect(queue.listWaiting()).toEqual([1, 4, 5])
  await end()
  clock.advance(100)
  expect(listWrites()).toEqual([[1], [4, 5]])
})

test('flush writes what waits now, also what was put during the current write', async () => {
  const { clock, queue, put, listWrites, end } = createBench()
  put(1)
  clock.advance(100)
  put(2)
  let isFlushed = false
  const flushed = queue.flush().then(() => {
    isFlushed = true
  })
  await end()
  expect([listWrites(), isFlushed]).toEqual([[[1], [2]], false])
  await end()
  await flushed
})

test('flush and close resolve while the store is unavailable, and after close nothing is retried', async () => {
  const { clock, queue, put, fail, end, listWrites } = createBench({ retryMs: 1_000 })
  put(1)
  const flushed = queue.flush()
  await new Promise((resolve) => setImmediate(resolve))
  await fail()
  await flushed
  const closed = queue.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(listWrites()).toEqual([[1], [1]])
  await fail()
  await closed
  clock.advance(60_000)
  await end()
  expect(listWrites()).toHaveLength(2)
  expect(queue.listWaiting()).toEqual([1])
})
