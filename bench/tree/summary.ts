import { median } from '@isotherm/kernel/statistics'
import type { Budget } from '../budgets.ts'
import { type Operation, operations, type Round, type Taken } from './measure-tree.ts'

/** Medians of one tree with one number of nodes. */
export interface Summary {
  readonly outcomes: ReadonlyMap<Operation, Taken | 'cut' | 'cannot'>
  readonly prepareMs: number
  readonly mountedMb: number
  readonly openMb: number
  readonly usedMb: number
}

/** Median of the values; NaN if there are none. */
export const toMedian = (values: readonly number[]): number => median(values) ?? Number.NaN

const isTaken = (outcome: unknown): outcome is Taken => typeof outcome === 'object' && outcome !== null

export function toSummary(rounds: readonly Round[]): Summary {
  const toOutcome = (operation: Operation): Taken | 'cut' | 'cannot' => {
    const outcomes = rounds.map((round) => round.outcomes.get(operation) ?? 'cannot')
    const taken = outcomes.filter(isTaken)
    if (taken.length < outcomes.length) return outcomes.includes('cut') ? 'cut' : 'cannot'
    return { ms: toMedian(taken.map(({ ms }) => ms)), busyMs: toMedian(taken.map(({ busyMs }) => busyMs)) }
  }
  return {
    outcomes: new Map(operations.map((operation) => [operation, toOutcome(operation)])),
    prepareMs: toMedian(rounds.map(({ prepareMs }) => prepareMs)),
    mountedMb: toMedian(rounds.map(({ mountedMb }) => mountedMb)),
    openMb: toMedian(rounds.map(({ openMb }) => openMb)),
    usedMb: toMedian(rounds.map(({ usedMb }) => usedMb)),
  }
}

/** Name of the figure of an operation with `size` nodes, as 100k. */
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

/** Every figure of one tree, NaN where it has none. */
export function toFigures({ outcomes, openMb }: Summary, size: string): ReadonlyMap<string, number> {
  const times = operations.map((operation): [string, number] => {
    const outcome = outcomes.get(operation)
    return [FIGURES[operation](size), isTaken(outcome) ? outcome.ms : Number.NaN]
  })
  return new Map([...times, [`heap_${size}_mb`, openMb]])
}

const toText = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))

function toCell(outcome: Taken | 'cut' | 'cannot' | undefined): string {
  if (isTaken(outcome)) return `${toText(outcome.ms)} (${toText(outcome.busyMs)})`
  return outcome === 'cut' ? '> 20 s' : '–'
}

/** All trees side by side: one row a figure, busy time in brackets. */
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
