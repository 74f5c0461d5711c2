import { expect, test } from 'vitest'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createCachedCounting } from './cached-counting.ts'
import { createTestDirectory } from './directory.testkit.ts'

/** Counts how often it counted, and for whom: how old what it counts from may be, ms. */
function createBench() {
  const clock = createTestClock()
  const begun: (number | undefined)[] = []
  const count = createCachedCounting({ clock, directory: createTestDirectory([]) }, async (mayBeMs) =>
    begun.push(mayBeMs),
  )
  return { clock, begun, count }
}

test('who is given an older counting is answered first, and the newer one begins a second later', async () => {
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

test('who needs it as it is now waits for it, and what was planned is not counted once more', async () => {
  const { clock, begun, count } = createBench()
  await count()
  clock.advance(10_000)
  await count(30_000)
  expect(await count()).toBe(2)
  clock.advance(1_000)
  expect(begun).toHaveLength(2)
})

test('a counting is told how old what it counts from may be', async () => {
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
