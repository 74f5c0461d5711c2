import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSharedRead } from './shared-read.ts'

/** A store whose reads end when the test ends them, with the value at their start; every fifth value fails. */
function createStore() {
  let stored = 0
  const running: (() => void)[] = []
  const read = (): Promise<number> => {
    const value = stored
    return new Promise((resolve, reject) => {
      running.push(() => (value % 5 === 4 ? reject(new Error(`${value}`)) : resolve(value)))
    })
  }
  const flush = () => new Promise((resolve) => setImmediate(resolve))
  return {
    read,
    change: () => {
      stored += 1
    },
    now: () => stored,
    async endFirst() {
      running.shift()?.()
      await flush()
    },
    countRunning: () => running.length,
  }
}

test('no caller gets a value from before its call, and at most one read runs at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('read', 'change', 'end'), { maxLength: 40 }), async (acts) => {
      const store = createStore()
      const request = createSharedRead(store.read)
      const requested: { readonly at: number; readonly given: Promise<number> }[] = []
      for (const act of acts) {
        if (act === 'change') store.change()
        else if (act === 'end') await store.endFirst()
        else {
          // The message of a failed read is its value.
          const given = request().catch((error: Error) => Number(error.message))
          requested.push({ at: store.now(), given })
        }
        expect(store.countRunning()).toBeLessThanOrEqual(1)
      }
      while (store.countRunning() > 0) await store.endFirst()
      for (const { at, given } of requested) expect(await given).toBeGreaterThanOrEqual(at)
    }),
  )
})

test('two reads answer any number of concurrent callers', async () => {
  let reads = 0
  const request = createSharedRead(async () => {
    reads += 1
    return reads
  })
  expect(await Promise.all(Array.from({ length: 20 }, request))).toEqual([1, ...Array(19).fill(2)])
  expect(await request()).toBe(3)
})
