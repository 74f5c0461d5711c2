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

test('one too many fails with the code of ClickHouse, and a failed work frees its place', async () => {
  const gate = createGate({ running: 1, waiting: 0 })
  const failing = gate(() => Promise.reject(new Error('broken')))
  await expect(gate(() => Promise.resolve(1))).rejects.toMatchObject({ code: 202 })
  await expect(failing).rejects.toThrow('broken')
  await expect(gate(() => Promise.resolve(2))).resolves.toBe(2)
})
