import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

test('works run up to the limit, the rest in order of arrival', async () => {
  const gate = createGate({ running: 2, waiting: 10 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3].map((i) =>
    gate(async () => {
      begun.push(i)
      await new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  await all[1]
  expect(begun).toEqual([0, 1, 2])
  ends[0]?.()
  ends[2]?.()
  await all[2]
  expect(begun).toEqual([0, 1, 2, 3])
  ends[3]?.()
  await Promise.all(all)
})

test('one too many is refused with the error of the caller, and a failed work makes room', async () => {
  const gate = createGate({ running: 1, waiting: 0, refuse: () => new TypeError('full') })
  const failing = gate(() => Promise.reject(new Error('broken')))
  await expect(gate(() => Promise.resolve(1))).rejects.toThrow(new TypeError('full'))
  await expect(failing).rejects.toThrow('broken')
  await expect(gate(() => Promise.resolve(2))).resolves.toBe(2)
})

test('one too many is refused with a RangeError when the caller has no error of his own', async () => {
  const gate = createGate({ running: 0, waiting: 0 })
  await expect(gate(() => Promise.resolve(1))).rejects.toThrow(RangeError)
})

test('the limit of concurrent tasks is never exceeded, and every task has its result, regardless of how tasks end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ fails: fc.boolean(), rounds: fc.integer({ min: 1, max: 4 }) }), { maxLength: 30 }),
      async (most, works) => {
        const gate = createGate({ running: most })
        let running = 0
        let seen = 0
        const results = await Promise.allSettled(
          works.map(({ fails, rounds }, index) =>
            gate(async () => {
              running += 1
              seen = Math.max(seen, running)
              for (let round = 0; round < rounds; round += 1) await Promise.resolve()
              running -= 1
              if (fails) throw new Error(String(index))
              return index
            }),
          ),
        )
        expect(seen).toBe(Math.min(most, works.length))
        expect(results.map(({ status }) => status === 'rejected')).toEqual(works.map(({ fails }) => fails))
      },
    ),
  )
})
