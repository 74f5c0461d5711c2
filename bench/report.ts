import { cpus, totalmem } from 'node:os'
import type { BenchResult } from './bench.ts'
import { type Budget, judge } from './budgets.ts'

/** Formats a number with four significant digits (measurements are not more accurate) and thousands separators. */
const toText = (value: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value)

const toBound = (budget: Budget | undefined, bound: 'required' | 'aim'): string =>
  budget === undefined ? '—' : `${budget.better === 'less' ? '≤' : '≥'} ${toText(budget[bound])}`

/** Lines of a text table: columns are as wide as their widest cell, numbers are right-aligned. */
function toTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const isNumber = column > 0 && column < 4
        return isNumber ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Text of a bench: each figure with its budget, then the peers of the same run. */
export function toReport(result: BenchResult, budgets: ReadonlyMap<string, Budget>): string {
  const figures = Object.entries(result.figures).map(([name, value]) => {
    const budget = budgets.get(name)
    return [name, toText(value), toBound(budget, 'required'), toBound(budget, 'aim'), judge(value, budget)]
  })
  const unmeasured = [...budgets.keys()].filter((name) => !Object.hasOwn(result.figures, name))
  const peers = result.peers.map(({ figure, label, value }) => `  ${figure}: ${label}: ${toText(value)}`)
  const known = [...budgets].flatMap(([name, { peer }]) =>
    peer ? [`  ${name}: ${peer} (measured elsewhere)`] : [],
  )
  return [
    ...toTable([['figure', 'ours', 'required', 'aim', 'verdict'], ...figures]),
    ...unmeasured.map((name) => `${name}: has a budget and was not measured`),
    ...(peers.length + known.length > 0 ? ['', 'Beside it, in the same run:', ...peers, ...known] : []),
    ...(result.notes.length > 0 ? ['', ...result.notes] : []),
    '',
    `Machine: ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${toText(totalmem() / 1e9)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`,
  ].join('\n')
}
