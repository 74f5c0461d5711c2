import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

test('times and durations are whole milliseconds: what is computed from both is stored and sent as an instant', async () => {
  for (let round = 0; round < 20; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    expect(Number.isInteger(systemClock.elapsed())).toBe(true)
    expect(Number.isInteger(systemClock.now())).toBe(true)
  }
})

/** No duration twice, not even at a second attempt: Node keeps one list for equal ones. */
let nextMs = HOUR_MS

test('a cancelled timer leaves nothing behind, however long it would have run', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const timers = 100_000
  const readUsed = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = readUsed()
  for (let index = 0; index < timers; index += 1)
    systemClock.setTimeout(() => undefined, nextMs + index).cancel()
  nextMs += timers
  // An empty list takes 100 bytes and more.
  expect((readUsed() - before) / timers).toBeLessThan(20)
})
