import { expect, test } from 'vitest'
import { withTimeout } from './timeout.ts'

/** A clock whose timers fire when the test calls `fire`. */
function createManualTimers() {
  const waiting = new Map<() => void, number>()
  return {
    clock: {
      setTimeout(task: () => void, delayMs: number) {
        waiting.set(task, delayMs)
        return { cancel: () => void waiting.delete(task) }
      },
    },
    delays: () => [...waiting.values()],
    fire: () => {
      for (const task of waiting.keys()) task()
    },
  }
}

test('passes on the result or error within the limit, and leaves no timer', async () => {
  const { clock, delays } = createManualTimers()
  expect(await withTimeout(clock, 5_000, async () => 'ours')).toBe('ours')
  await expect(
    withTimeout(clock, 5_000, async () => {
      throw new Error('their own')
    }),
  ).rejects.toThrow('their own')
  expect(delays()).toEqual([])
})

test('rejects with server.unavailable after the limit, whatever the work does later', async () => {
  const { clock, delays, fire } = createManualTimers()
  const late = Promise.withResolvers<string>()
  const answer = withTimeout(clock, 5_000, () => late.promise)
  expect(delays()).toEqual([5_000])
  fire()
  await expect(answer).rejects.toMatchObject({ code: 'server.unavailable' })
  late.reject(new Error('too late'))
  await expect(answer).rejects.toMatchObject({ code: 'server.unavailable' })
})
