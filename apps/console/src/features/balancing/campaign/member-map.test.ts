import { expect, test } from 'vitest'
import { sampleMember } from './campaign-samples.testkit.ts'
import { findMapValue, toMapScale, toMemberSections } from './member-map.ts'

const withReturns = (id: number, before: number, expected: number) =>
  sampleMember(id, {
    before: { openingPct: 40, returnC: before },
    expected: { openingPct: 50, returnC: expected },
  })

test('before and after share one scale, with the usual return in its middle', () => {
  const rows = [withReturns(1, 34, 38), withReturns(2, 38, 38), withReturns(3, 40, 38)]
  const scale = toMapScale(rows, 'return')
  expect(((scale?.low ?? 0) + (scale?.high ?? 0)) / 2).toBeCloseTo(38)
  expect(scale?.low).toBeLessThan(35)
})

test('a loop that is even looks even', () => {
  const scale = toMapScale([withReturns(1, 38.05, 38), withReturns(2, 38, 38)], 'return')
  expect((scale?.high ?? 0) - (scale?.low ?? 0)).toBeCloseTo(2)
})

test('openings have ends of their own, and where nothing is known there is no scale', () => {
  const bare = sampleMember(1, { before: { openingPct: 40 }, expected: { openingPct: 50 } })
  expect(toMapScale([bare], 'opening')).toEqual({ low: 0, high: 100 })
  expect(toMapScale([bare], 'room')).toBeUndefined()
  expect(findMapValue(bare, 'after', 'opening')).toBeUndefined()
})

test('flow is told for each square metre', () => {
  const member = sampleMember(1, {
    areaM2: 500,
    expected: { openingPct: 50, flowM3H: 2, returnC: 38 },
  })
  expect(findMapValue(member, 'expected', 'flow')).toBeCloseTo(3.97, 2)
})

test('buildings come by their numbers', () => {
  const sections = toMemberSections([sampleMember(10), sampleMember(2)])
  expect(sections.map(({ rows }) => rows.map(({ deviceId }) => deviceId))).toEqual([[2], [10]])
})
