import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byHalves } from './bisect.ts'

class Refusal extends Error {}
const isRefusal = (error: unknown): boolean => error instanceof Refusal

test('it is done once for each item in its order, but for those that are refused, which are answered in theirs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (fits) => {
      const items = fits.map((isFit, index) => ({ isFit, index }))
      const done: number[] = []
      const refused = await byHalves(
        items,
        async (some) => {
          if (some.some(({ isFit }) => !isFit)) throw new Refusal()
          done.push(...some.map(({ index }) => index))
        },
        isRefusal,
      )
      expect(done).toEqual(items.flatMap(({ isFit, index }) => (isFit ? [index] : [])))
      expect(refused.map(({ item }) => item.index)).toEqual(
        items.flatMap(({ isFit, index }) => (isFit ? [] : [index])),
      )
      expect(refused.every(({ error }) => isRefusal(error))).toBe(true)
    }),
  )
})

test('one that is refused among a thousand costs some twenty tries, not a thousand', async () => {
  let tries = 0
  await byHalves(
    Array.from({ length: 1_000 }, (_, index) => index),
    async (some) => {
      tries += 1
      if (some.includes(617)) throw new Refusal()
    },
    isRefusal,
  )
  expect(tries).toBeLessThanOrEqual(21)
})

test('any other failure is passed on, and so is a refusal of nothing', async () => {
  const away = () => Promise.reject(new Error('away'))
  await expect(byHalves([1, 2], away, isRefusal)).rejects.toThrow('away')
  await expect(byHalves([], () => Promise.reject(new Refusal('empty')), isRefusal)).rejects.toThrow('empty')
})
