import { expect, test } from 'vitest'
import { sampleDevice } from '../rows/valve-samples.testkit.ts'
import { keepFound } from './last-found.ts'

const found = [sampleDevice({ id: 1 }), sampleDevice({ id: 2 })]
const kept = { ids: [1, 2], found }

test('valves that were found stand while the same ones are looked for again', () => {
  expect(keepFound(kept, [1, 2], undefined)).toBe(kept)
})

test('valves that are found anew take their place, and finding the same changes nothing', () => {
  const anew = [sampleDevice({ id: 1, name: 'anew' })]
  expect(keepFound(kept, [1, 2], anew)).toEqual({ ids: [1, 2], found: anew })
  expect(keepFound(kept, [1, 2], found)).toBe(kept)
})

test('other valves are not shown for those that are looked for', () => {
  expect(keepFound(kept, [1, 3], undefined)).toBeUndefined()
  expect(keepFound(kept, [1], undefined)).toBeUndefined()
  expect(keepFound(undefined, [1], undefined)).toBeUndefined()
})
