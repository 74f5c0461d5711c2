import { median } from '@isotherm/kernel/statistics'
import type { Budget } from '../budgets.ts'
import { type Measured, type Operation, operations, type Round } from './measure-tree.ts'

/** Medians of one tree with one number of nodes. */
export interface Summary {
  readonly outcomes: ReadonlyMap<Operation, Measured | 'timeout' | 'unsupported'>
  readonly prepareMs: number
  readonly mountedMb: number
  readonly openMb: number
  readonly usedMb: number
}

/** Median of the values; NaN if there are none. */
export const toMedian = (values: readonly number[]): number => median(values) ?? Number.NaN

const isMeasured = (outcome: unknown): outcome is Measured => typeof outcome === 'object' && outcome !== null

export function toSummary(rounds: readonly Round[]): Summary {
  const toOutcome = (operation: Operation): Measured | 'timeout' | 'unsupported' => {
    const outcomes = rounds.map((round) => round.outcomes.get(operation) ?? 'unsupported')
    const measured = outcomes.filter(isMeasured)
    if (measured.length < outcomes.length) return outcomes.includes('timeout') ? 'timeout' : 'unsupported'
    return {
      ms: toMedian(measured.map(({ ms }) => ms)),
      busyMs: toMedian(measured.map(({ busyMs }) => busyMs)),
    }
  }
  return {
    outcomes: new Map(operations.map((operation) => [operation, toOutcome(operation)])),
    prepareMs: toMedian(rounds.map(({ prepareMs }) => prepareMs)),
    mountedMb: toMedian(rounds.map(({ mountedMb }) => mountedMb)),
    openMb: toMedian(rounds.map(({ openMb }) => openMb)),
    usedMb: toMedian(rounds.map(({ usedMb }) => usedMb)),
  }
}

/** Name of the figure of an operation for a `size` such as 100k nodes. */
const FIGURES: Readonly<Record<Operation, (size: string) => string>> = {
  mount: (size) => `mount_${size}_ms`,
  expandAll: (size) => `expand_all_${size}_ms`,
  checkRoot: (size) => `check_root_${size}_ms`,
  uncheckLeaf: (size) => `toggle_leaf_all_checked_${size}_ms`,
  restore: (size) => `restore_10k_of_${size}_ms`,
  restoreAgain: (size) => `restore_again_10k_of_${size}_ms`,
  search: (size) => `search_${size}_ms`,
  scroll: (size) => `scroll_p95_frame_${size}_ms`,
  addChildren: (size) => `lazy_20_children_${size}_ms`,
}

/** All figures of one tree; NaN for an operation without a result. */
export function toFigures({ outcomes, openMb }: Summary, size: string): ReadonlyMap<string, number> {
  const times = operations.map((operation): [string, number] => {
    const outcome = outcomes.get(operation)
    return [FIGURES[operation](size), isMeasured(outcome) ? outcome.ms : Number.NaN]
  })
  return new Map([...times, [`heap_${size}_mb`, openMb]])
}

const toText = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))

function toCell(outcome: Measured | 'timeout' | 'unsupported' | undefined): string {
  if (isMeasured(outcome)) return `${toText(outcome.ms)} (${toText(outcome.busyMs)})`
  return outcome === 'timeout' ? '> 20 s' : '–'
}

/** Table that compares all trees: a row per figure, busy time in brackets. */
export function toComparison(
  summaries: ReadonlyMap<string, Summary>,
  size: string,
  budgets: ReadonlyMap<string, Budget>,
): readonly string[] {
  const bounds = (figure: string): readonly string[] => {
    const budget = budgets.get(figure)
    return budget ? [String(budget.required), String(budget.aim)] : ['', '']
  }
  const trees = [...summaries.values()]
  const times = operations.map((operation) => {
    const figure = FIGURES[operation](size)
    return [figure, ...trees.map(({ outcomes }) => toCell(outcomes.get(operation))), ...bounds(figure)]
  })
  const heap = `heap_${size}_mb`
  const rows = [
    [`${size} nodes`, ...summaries.keys(), 'required', 'aim'],
    ...times,
    [heap, ...trees.map(({ openMb }) => (Number.isNaN(openMb) ? '–' : toText(openMb))), ...bounds(heap)],
    ['  of mount, its own input, ms', ...trees.map(({ prepareMs }) => toText(prepareMs)), '', ''],
    ['  heap with the root open, MB', ...trees.map(({ mountedMb }) => toText(mountedMb)), '', ''],
    ['  heap after all of this, MB', ...trees.map(({ usedMb }) => toText(usedMb)), '', ''],
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
