import { expect, test } from 'vitest'
import { createQueue, runInSlices } from './yield-time-slice.ts'

function* count(upTo: number, seen: string[], name: string): Generator<undefined, number> {
  for (let at = 1; at <= upTo; at++) {
    seen.push(`${name}${at}`)
    yield
  }
  return upTo
}

test('other work runs between the slices of a long one', async () => {
  const seen: string[] = []
  const work = runInSlices(count(3, seen, 'a'))
  const other = runInSlices(count(2, seen, 'b'))
  expect(seen).toEqual(['a1', 'b1'])
  expect([await work, await other]).toEqual([3, 2])
  expect(seen.indexOf('b2')).toBeLessThan(seen.indexOf('a3'))
})

test('a queue runs one piece of work at a time, whether the one before failed or not', async () => {
  const seen: string[] = []
  const queue = createQueue()
  const first = queue(async () => {
    await runInSlices(count(2, seen, 'a'))
    throw new Error('in vain')
  })
  const second = queue(() => runInSlices(count(2, seen, 'b')))
  await expect(first).rejects.toThrow('in vain')
  expect(await second).toBe(2)
  expect(seen).toEqual(['a1', 'a2', 'b1', 'b2'])
})
