import { expect, test } from 'vitest'
import { sampleDevice } from '../../../shared/devices/valve-samples.testkit.ts'
import { updateLastFound } from './last-found.ts'

const found = [sampleDevice({ id: 1 }), sampleDevice({ id: 2 })]
const last = { ids: [1, 2], found }

test('found valves stay while the same ids are searched again', () => {
  expect(updateLastFound(last, [1, 2], undefined)).toBe(last)
})

test('a new result replaces them, and the same result changes nothing', () => {
  const renamed = [sampleDevice({ id: 1, name: 'renamed' })]
  expect(updateLastFound(last, [1, 2], renamed)).toEqual({ ids: [1, 2], found: renamed })
  expect(updateLastFound(last, [1, 2], found)).toBe(last)
})

test('the result for other ids is not shown', () => {
  expect(updateLastFound(last, [1, 3], undefined)).toBeUndefined()
  expect(updateLastFound(last, [1], undefined)).toBeUndefined()
  expect(updateLastFound(undefined, [1], undefined)).toBeUndefined()
})
