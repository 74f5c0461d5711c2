import { expect, test } from 'vitest'
import { createTestClock } from '../../core.testkit.ts'
import { startRounds } from './poll-loop.ts'

/** Rounds that go on until they are let end. */
function createBench() {
  const clock = createTestClock()
  const failures: unknown[] = []
  const held: PromiseWithResolvers<void>[] = []
  const rounds = startRounds({
    clock,
    pauseMs: 1_000,
    gatherMs: 10,
    work() {
      const round = Promise.withResolvers<void>()
      held.push(round)
      return round.promise
    },
    failed: (error) => failures.push(error),
  })
  const settle = async (act: (round: PromiseWithResolvers<void>) => void) => {
    const round = held.at(-1)
    if (round) act(round)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    clock,
    rounds,
    failures,
    begun: () => held.length,
    end: () => settle((round) => round.resolve()),
    fail: () => settle((round) => round.reject(new Error('the store is away'))),
  }
}

test('a round begins at once, and the next a pause after its end', async () => {
  const { clock, begun, end } = createBench()
  clock.advance(0)
  expect(begun()).toBe(1)
  clock.advance(5_000)
  expect(begun()).toBe(1)
  await end()
  clock.advance(999)
  expect(begun()).toBe(1)
  clock.advance(1)
  expect(begun()).toBe(2)
})

test('several wakes are one round, soon; one during a round is another after it', async () => {
  const { clock, rounds, begun, end } = createBench()
  clock.advance(0)
  await end()
  rounds.wake()
  clock.advance(5)
  rounds.wake()
  clock.advance(5)
  expect(begun()).toBe(2)
  rounds.wake()
  clock.advance(50)
  expect(begun()).toBe(2)
  await end()
  clock.advance(10)
  expect(begun()).toBe(3)
})

test('a round that fails is told of, and the next comes all the same', async () => {
  const { clock, begun, fail, failures } = createBench()
  clock.advance(0)
  await fail()
  expect(failures).toEqual([new Error('the store is away')])
  clock.advance(1_000)
  expect(begun()).toBe(2)
})

test('closing waits for the present round, and none comes after it', async () => {
  const { clock, rounds, begun, end } = createBench()
  clock.advance(0)
  let isClosed = false
  const closed = rounds.close().then(() => {
    isClosed = true
  })
  rounds.wake()
  await Promise.resolve()
  expect(isClosed).toBe(false)
  await end()
  await closed
  rounds.wake()
  clock.advance(10_000)
  expect(begun()).toBe(1)
})
