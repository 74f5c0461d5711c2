import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bisect } from './bisect.ts'

class Rejection extends Error {}
const isRejection = (error: unknown): boolean => error instanceof Rejection

test('runs once for every accepted item, in order, and returns the rejected items in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (fits) => {
      const items = fits.map((isFit, index) => ({ isFit, index }))
      const done: number[] = []
      const rejected = await bisect(
        items,
        async (some) => {
          if (some.some(({ isFit }) => !isFit)) throw new Rejection()
          done.push(...some.map(({ index }) => index))
        },
        isRejection,
      )
      expect(done).toEqual(items.flatMap(({ isFit, index }) => (isFit ? [index] : [])))
      expect(rejected.map(({ item }) => item.index)).toEqual(
        items.flatMap(({ isFit, index }) => (isFit ? [] : [index])),
      )
      expect(rejected.every(({ error }) => isRejection(error))).toBe(true)
    }),
  )
})

test('one rejected item among a thousand takes about twenty attempts', async () => {
  let tries = 0
  await bisect(
    Array.from({ length: 1_000 }, (_, index) => index),
    async (some) => {
      tries += 1
      if (some.includes(617)) throw new Rejection()
    },
    isRejection,
  )
  expect(tries).toBeLessThanOrEqual(21)
})

test('any other failure rejects, and so does a rejection of an empty list', async () => {
  const away = () => Promise.reject(new Error('away'))
  await expect(bisect([1, 2], away, isRejection)).rejects.toThrow('away')
  await expect(bisect([], () => Promise.reject(new Rejection('empty')), isRejection)).rejects.toThrow('empty')
})
