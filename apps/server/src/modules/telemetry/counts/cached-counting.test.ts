import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createCachedCounting } from './cached-counting.ts'
import { createTestDirectory } from './directory.testkit.ts'

/** Records how often it counts, and the greatest age of the data it may count from, ms. */
function createBench() {
  const clock = createTestClock()
  const begun: (number | undefined)[] = []
  const count = createCachedCounting({ clock, directory: createTestDirectory([]) }, async (maxAgeMs) =>
    begun.push(maxAgeMs),
  )
  return { clock, begun, count }
}

test('a caller that accepts an older count gets it immediately, and the recount starts a second later', async () => {
  const { clock, begun, count } = createBench()
  expect(await count()).toBe(1)
  clock.advance(10_000)
  expect([await count(30_000), await count(30_000)]).toEqual([1, 1])
  expect(begun).toHaveLength(1)
  clock.advance(1_000)
  expect(begun).toHaveLength(2)
  expect(await count()).toBe(2)
  expect(begun).toHaveLength(2)
})

test('a caller that needs a current count waits for it, and the planned recount is not repeated', async () => {
  const { clock, begun, count } = createBench()
  await count()
  clock.advance(10_000)
  await count(30_000)
  expect(await count()).toBe(2)
  clock.advance(1_000)
  expect(begun).toHaveLength(2)
})

test('the greatest accepted age is passed on to the recount', async () => {
  const { clock, begun, count } = createBench()
  await count(30_000)
  clock.advance(4_000)
  await count(30_000)
  clock.advance(1_000)
  await count()
  clock.advance(40_000)
  await count(30_000)
  expect(begun).toEqual([30_000, undefined, 30_000])
})
