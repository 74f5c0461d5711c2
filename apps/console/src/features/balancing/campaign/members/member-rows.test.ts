import { expect, test } from 'vitest'
import { sampleCampaign, sampleMember } from '../campaign-samples.testkit.ts'
import { countMembers, filterMembers, sortMembers } from './member-rows.ts'

const { members } = sampleCampaign()
const idsOf = (rows: readonly { readonly deviceId: number }[]) => rows.map(({ deviceId }) => deviceId)

test('a changed opening counts as a move, except for an excluded valve', () => {
  expect(idsOf(filterMembers(members, 'moves'))).toEqual([1, 2])
  expect(idsOf(filterMembers(members, 'excluded'))).toEqual([3])
  expect(idsOf(filterMembers(members, 'all'))).toEqual([1, 2, 3])
})

test('empty filters are not offered, except all and moves', () => {
  expect(countMembers(members)).toEqual([
    { filter: 'moves', count: 2 },
    { filter: 'excluded', count: 1 },
    { filter: 'all', count: 3 },
  ])
  const judged = [
    sampleMember(1, { verdict: 'stuck' }),
    sampleMember(2, { verdict: 'accepted' }),
    sampleMember(4, { verdict: 'inverted' }),
  ]
  expect(countMembers(judged)).toContainEqual({ filter: 'judged', count: 2 })
  expect(countMembers([])).toEqual([
    { filter: 'moves', count: 0 },
    { filter: 'all', count: 0 },
  ])
})

test('places are sorted by their numbers', () => {
  const rows = [10, 9, 1].map((id) => sampleMember(id))
  expect(idsOf(sortMembers(rows, 'place', false))).toEqual([1, 9, 10])
  expect(idsOf(sortMembers(rows, 'place', true))).toEqual([10, 9, 1])
})

test('rows without a value come last in both directions', () => {
  const rows = [
    sampleMember(1, { before: { openingPct: 40 } }),
    sampleMember(2, { before: { openingPct: 40, returnC: 41 } }),
    sampleMember(3, { before: { openingPct: 40, returnC: 36 } }),
  ]
  expect(idsOf(sortMembers(rows, 'return', false))).toEqual([3, 2, 1])
  expect(idsOf(sortMembers(rows, 'return', true))).toEqual([2, 3, 1])
})

test('moves are sorted by size, regardless of direction', () => {
  const rows = [
    sampleMember(1, { expected: { openingPct: 45 } }),
    sampleMember(2, { expected: { openingPct: 10 } }),
    sampleMember(3, { expected: { openingPct: 52 } }),
  ]
  expect(idsOf(sortMembers(rows, 'move', true))).toEqual([2, 3, 1])
})
