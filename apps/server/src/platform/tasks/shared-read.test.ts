import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareReadings } from './shared-read.ts'

/** A store whose readings end, well or not, when they are told to, with what stood there when they began. */
function createStore() {
  let stored = 0
  const underWay: (() => void)[] = []
  const read = (): Promise<number> => {
    const seen = stored
    return new Promise((resolve, reject) => {
      underWay.push(() => (seen % 5 === 4 ? reject(new Error(`${seen}`)) : resolve(seen)))
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
      underWay.shift()?.()
      await flush()
    },
    countUnderWay: () => underWay.length,
  }
}

test('nobody is given what was read before they asked, and at most one reading is under way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('ask', 'change', 'end'), { maxLength: 40 }), async (acts) => {
      const store = createStore()
      const ask = shareReadings(store.read)
      const asked: { readonly at: number; readonly given: Promise<number> }[] = []
      for (const act of acts) {
        if (act === 'change') store.change()
        else if (act === 'end') await store.endFirst()
        else {
          // A reading that fails says what it would have read.
          const given = ask().catch((error: Error) => Number(error.message))
          asked.push({ at: store.now(), given })
        }
        expect(store.countUnderWay()).toBeLessThanOrEqual(1)
      }
      while (store.countUnderWay() > 0) await store.endFirst()
      for (const { at, given } of asked) expect(await given).toBeGreaterThanOrEqual(at)
    }),
  )
})

test('however many ask at once, two readings answer them', async () => {
  let readings = 0
  const ask = shareReadings(async () => {
    readings += 1
    return readings
  })
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual([1, ...Array(19).fill(2)])
  expect(await ask()).toBe(3)
})
