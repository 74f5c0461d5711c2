import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/core.testkit.ts'
import { systemClock } from '../clock.ts'
import { currentCaller, runAsCaller } from './current-caller.ts'
import { startPollLoop } from './poll-loop.ts'

/** A poll loop whose runs end when the test ends them. */
function createBench() {
  const clock = createTestClock()
  const failures: unknown[] = []
  const runs: PromiseWithResolvers<void>[] = []
  const loop = startPollLoop({
    clock,
    pauseMs: 1_000,
    gatherMs: 10,
    work() {
      const run = Promise.withResolvers<void>()
      runs.push(run)
      return run.promise
    },
    onError: (error) => failures.push(error),
  })
  const settle = async (act: (run: PromiseWithResolvers<void>) => void) => {
    const run = runs.at(-1)
    if (run) act(run)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    clock,
    loop,
    failures,
    countStarted: () => runs.length,
    end: () => settle((run) => run.resolve()),
    fail: () => settle((run) => run.reject(new Error('the store is unavailable'))),
  }
}

test('the first run starts at once, the next after a pause', async () => {
  const { clock, countStarted, end } = createBench()
  clock.advance(0)
  expect(countStarted()).toBe(1)
  clock.advance(5_000)
  expect(countStarted()).toBe(1)
  await end()
  clock.advance(999)
  expect(countStarted()).toBe(1)
  clock.advance(1)
  expect(countStarted()).toBe(2)
})

test('the first run can start later, or earlier after a wake', () => {
  const startLater = () => {
    const clock = createTestClock()
    let runs = 0
    const loop = startPollLoop({
      clock,
      firstMs: 3_000,
      pauseMs: 1_000,
      async work() {
        runs += 1
      },
      onError: () => undefined,
    })
    return { clock, loop, countRuns: () => runs }
  }
  const later = startLater()
  later.clock.advance(2_999)
  expect(later.countRuns()).toBe(0)
  later.clock.advance(1)
  expect(later.countRuns()).toBe(1)
  const woken = startLater()
  woken.loop.wake()
  woken.clock.advance(0)
  expect(woken.countRuns()).toBe(1)
})

test('several wakes cause one run, and a wake during a run causes another', async () => {
  const { clock, loop, countStarted, end } = createBench()
  clock.advance(0)
  await end()
  loop.wake()
  clock.advance(5)
  loop.wake()
  clock.advance(5)
  expect(countStarted()).toBe(2)
  loop.wake()
  clock.advance(50)
  expect(countStarted()).toBe(2)
  await end()
  clock.advance(10)
  expect(countStarted()).toBe(3)
})

test('a failed run is reported and the loop goes on', async () => {
  const { clock, countStarted, fail, failures } = createBench()
  clock.advance(0)
  await fail()
  expect(failures).toEqual([new Error('the store is unavailable')])
  clock.advance(1_000)
  expect(countStarted()).toBe(2)
})

test('close waits for the current run and starts no other', async () => {
  const { clock, loop, countStarted, end } = createBench()
  clock.advance(0)
  let isClosed = false
  const closed = loop.close().then(() => {
    isClosed = true
  })
  loop.wake()
  await Promise.resolve()
  expect(isClosed).toBe(false)
  await end()
  await closed
  loop.wake()
  clock.advance(10_000)
  expect(countStarted()).toBe(1)
})

test('the work of a loop is not that of the caller whose call has woken it', async () => {
  const callers: string[] = []
  const loop = startPollLoop({
    clock: systemClock,
    pauseMs: 60_000,
    firstMs: 60_000,
    async work() {
      callers.push(currentCaller())
    },
    onError: () => undefined,
  })
  await runAsCaller('busy', async () => loop.wake())
  await expect.poll(() => callers).toEqual([''])
  await loop.close()
})
