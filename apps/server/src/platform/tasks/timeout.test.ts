import { expect, test } from 'vitest'
import { inTime } from './timeout.ts'

/** A clock whose timers ring when told to. */
function createBell() {
  const waiting = new Map<() => void, number>()
  return {
    clock: {
      setTimeout(task: () => void, delayMs: number) {
        waiting.set(task, delayMs)
        return { cancel: () => void waiting.delete(task) }
      },
    },
    delays: () => [...waiting.values()],
    ring: () => {
      for (const task of waiting.keys()) task()
    },
  }
}

test('what is answered within the limit is passed on, and no timer stays', async () => {
  const { clock, delays } = createBell()
  expect(await inTime(clock, 5_000, async () => 'ours')).toBe('ours')
  await expect(
    inTime(clock, 5_000, async () => {
      throw new Error('their own')
    }),
  ).rejects.toThrow('their own')
  expect(delays()).toEqual([])
})

test('what is not is told as unavailable, however it ends later', async () => {
  const { clock, delays, ring } = createBell()
  const late = Promise.withResolvers<string>()
  const answer = inTime(clock, 5_000, () => late.promise)
  expect(delays()).toEqual([5_000])
  ring()
  await expect(answer).rejects.toMatchObject({ code: 'server.unavailable' })
  late.reject(new Error('too late'))
  await expect(answer).rejects.toMatchObject({ code: 'server.unavailable' })
})
