import { commandState, finalCommandStates } from '@isotherm/contract/command'
import { expect, test } from 'vitest'
import { commandGroups, statesOfGroup } from '../commands/command-groups.ts'
import { countGroup, toSegments, toSettledPct } from './batch-figures.ts'

test('each command state belongs to exactly one group, and the open group has no final state', () => {
  const all = commandGroups.flatMap((group) => statesOfGroup[group])
  expect(all.toSorted()).toEqual(commandState.options.toSorted())
  expect(statesOfGroup.open.some((state) => finalCommandStates.has(state))).toBe(false)
})

test('a bar shows every command once, settled ones first', () => {
  const batch = { total: 10, counts: { queued: 4, sent: 1, confirmed: 3, failed: 2 } }
  const segments = toSegments(batch)
  expect(segments.map(({ state }) => state)).toEqual(['confirmed', 'failed', 'sent', 'queued'])
  expect(segments.reduce((sum, { count }) => sum + count, 0)).toBe(10)
  expect(countGroup(batch, 'failed')).toBe(2)
})

test('100 % are settled only when every command is settled', () => {
  expect(toSettledPct({ total: 3, counts: { confirmed: 3 } })).toBe(100)
  expect(toSettledPct({ total: 10_000, counts: { confirmed: 9_999, sent: 1 } })).toBe(99)
  expect(toSettledPct({ total: 2, counts: { queued: 2 } })).toBe(0)
})
