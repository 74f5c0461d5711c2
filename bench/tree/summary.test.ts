import { expect, test } from 'vitest'
import type { Outcome, Round } from './measure-tree.ts'
import { toComparison, toFigures, toMedian, toSummary } from './summary.ts'

const toRound = (mount: Outcome, search: Outcome, openMb: number): Round => ({
  outcomes: new Map([
    ['mount', mount],
    ['search', search],
  ]),
  prepareMs: 4,
  mountedMb: 2,
  openMb,
  usedMb: 9,
})
const measured = (ms: number) => ({ ms, busyMs: ms - 5 })
const rounds = [
  toRound(measured(40), measured(20), 5),
  toRound(measured(300), measured(22), 6),
  toRound(measured(50), measured(21), 4),
]

test('the median of an odd number of values is the middle one, and NaN without values', () => {
  expect(toMedian([9, 1, 100, 2, 3])).toBe(3)
  expect(toMedian([])).toBeNaN()
})

test('a figure is the median of the rounds, under the name of its budget', () => {
  const figures = toFigures(toSummary(rounds), '100k')
  expect(figures.get('mount_100k_ms')).toBe(50)
  expect(figures.get('search_100k_ms')).toBe(21)
  expect(figures.get('heap_100k_mb')).toBe(5)
})

test('an aborted or unsupported operation has no figure, and the table states why', () => {
  const summary = toSummary([toRound(measured(40), 'timeout', Number.NaN)])
  expect(toFigures(summary, '500k').get('search_500k_ms')).toBeNaN()
  const budgets = new Map([['mount_500k_ms', { better: 'less', required: 80, aim: 45 } as const]])
  const table = toComparison(new Map([['ours', summary]]), '500k', budgets)
  expect(table.find((row) => row.startsWith('mount_500k_ms'))).toMatch(/40 \(35\) +80 +45$/)
  expect(table.find((row) => row.startsWith('search_500k_ms'))).toContain('> 20 s')
  expect(table.find((row) => row.startsWith('expand_all_500k_ms'))).toContain('–')
  expect(table.find((row) => row.startsWith('heap_500k_mb'))).toContain('–')
})
