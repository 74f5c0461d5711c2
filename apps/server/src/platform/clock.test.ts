import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

test('times and durations are whole milliseconds: what is computed from both is stored and sent as an instant', async () => {
  for (let round = 0; round < 20; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    expect(Number.isInteger(systemClock.elapsed())).toBe(true)
    expect(Number.isInteger(systemClock.now())).toBe(true)
  }
})
