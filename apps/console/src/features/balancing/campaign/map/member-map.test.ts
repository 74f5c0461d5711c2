import { expect, test } from 'vitest'
import { sampleMember } from '../campaign-samples.testkit.ts'
import { toMapScale, toMapValues, toMemberSections } from './member-map.ts'

const withReturns = (id: number, before: number, expected: number) =>
  sampleMember(id, {
    before: { openingPct: 40, returnC: before },
    expected: { openingPct: 50, returnC: expected },
  })

test('each side shows deviations from its own mean, so a balanced loop has none at any temperature', () => {
  const rows = [withReturns(1, 34, 30.2), withReturns(2, 38, 30), withReturns(3, 42, 29.8)]
  expect([...toMapValues(rows, 'before', 'deviation').values()]).toEqual([-4, 0, 4])
  const expected = [...toMapValues(rows, 'expected', 'deviation').values()]
  expect(Math.max(...expected.map(Math.abs))).toBeCloseTo(0.2)
  const both = (['before', 'expected'] as const).map((side) => toMapValues(rows, side, 'deviation'))
  expect(toMapScale(both, 'deviation')).toEqual({ low: -4, high: 4 })
})

test('the mean is weighted by area', () => {
  const rows = [withReturns(1, 30, 30), { ...withReturns(2, 40, 40), areaM2: 9_000 }]
  expect(toMapValues(rows, 'before', 'deviation').get(2)).toBeCloseTo(1)
})

test('a heated floor at its target of one kelvin below the others has no deviation', () => {
  const rows = [withReturns(1, 38, 38), { ...withReturns(2, 37, 38), offsetK: -1 }]
  expect([...toMapValues(rows, 'before', 'deviation').values()]).toEqual([0, 0])
  expect([...toMapValues(rows, 'expected', 'deviation').values()]).toEqual([-0.5, 0.5])
})

test('flow is shown per square metre, and unknown values are not on the map', () => {
  const flowing = sampleMember(1, { areaM2: 500, expected: { openingPct: 50, flowM3H: 2, returnC: 38 } })
  expect(toMapValues([flowing], 'expected', 'flow').get(1)).toBeCloseTo(3.97, 2)
  const bare = sampleMember(1, { before: { openingPct: 40 }, expected: { openingPct: 50 } })
  expect(toMapValues([bare], 'before', 'room').size).toBe(0)
  expect(toMapValues([bare], 'after', 'opening').size).toBe(0)
  expect(toMapScale([toMapValues([bare], 'before', 'room')], 'room')).toBeUndefined()
})

test('buildings are sorted by their numbers', () => {
  const sections = toMemberSections([sampleMember(10), sampleMember(2)])
  expect(sections.map(({ rows }) => rows.map(({ deviceId }) => deviceId))).toEqual([[2], [10]])
})
