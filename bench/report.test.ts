import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Budget, judge, readBudgets } from './budgets.ts'
import { toReport } from './report.ts'

const atMost: Budget = { better: 'less', required: 15, aim: 6 }
const atLeast: Budget = { better: 'more', required: 2_000, aim: 10_000 }

test.each([
  [6, atMost, 'meets aim'],
  [6.1, atMost, 'meets required'],
  [15, atMost, 'meets required'],
  [15.1, atMost, 'MISSES'],
  [10_000, atLeast, 'meets aim'],
  [2_000, atLeast, 'meets required'],
  [1_999, atLeast, 'MISSES'],
  [Number.NaN, atLeast, 'MISSES'],
  [1, undefined, 'no budget'],
] as const)('%d against %o: %s', (value, budget, verdict) => {
  expect(judge(value, budget)).toBe(verdict)
})

test('a report contains each figure, its budget, its peer and the machine', () => {
  const result = {
    figures: { single_per_s: 12_345.6, extra_ms: 1 },
    peers: [{ figure: 'single_per_s', label: 'aedes alone', value: 35_000 }],
    notes: ['100 clients'],
  }
  const report = toReport(result, new Map([['single_per_s', atLeast]]))
  expect(report).toMatch(/single_per_s\s+12,350\s+≥ 2,000\s+≥ 10,000\s+meets aim/)
  expect(report).toMatch(/extra_ms\s+1\s+—\s+—\s+no budget/)
  expect(report).toContain('single_per_s: aedes alone: 35,000')
  expect(report).toContain('100 clients')
  expect(report).toContain(`Node ${process.versions.node}`)
})

test('a figure with a budget but without a measurement is reported', () => {
  expect(toReport({ figures: {}, peers: [], notes: [] }, new Map([['next_start_s', atMost]]))).toContain(
    'next_start_s: has a budget and was not measured',
  )
})

test('budgets are read from the group of the bench and are optional', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-budgets-'))
  const file = join(folder, 'budgets.json')
  try {
    writeFileSync(file, JSON.stringify({ about: 'x', start: { next_start_s: atMost } }))
    expect(readBudgets('start', file)).toEqual(new Map([['next_start_s', atMost]]))
    expect(readBudgets('ingest', file)).toEqual(new Map())
    expect(readBudgets('start', join(folder, 'absent.json'))).toEqual(new Map())
    writeFileSync(file, JSON.stringify({ start: { next_start_s: { better: 'less' } } }))
    expect(() => readBudgets('start', file)).toThrow('start.next_start_s')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
