import { expect, test } from 'vitest'
import { runInSlices } from './run-in-slices.ts'

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
