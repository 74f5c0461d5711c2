import { sum, weightedMean } from '@isotherm/kernel/statistics'
import {
  coldGivenLess,
  coldOrderedClosed,
  countVerdicts,
  isCovered,
  isVerified,
  outcomeOf,
} from './count-rounds.ts'
import { pick, usualRun } from './figures.ts'
import type { CaseResult, RunResult, Target } from './run-case.ts'

const HEAD = [
  'case',
  'target',
  'σ before',
  'one step',
  'trimmed',
  '6 d',
  'moves',
  'σ room 6 d',
  '<18 °C',
  'alone',
  'colder',
  'given less',
  'closed',
  'stuck!',
  'slip!',
  'found',
  'inverted',
  'inverted!',
  'verified',
  'in range',
] as const

const text = (value: number, digits = 2): string => (Number.isFinite(value) ? value.toFixed(digits) : '–')
const mean = (values: readonly number[]): number => weightedMean(values) ?? Number.NaN
const orNaN = (value: number | undefined): number => value ?? Number.NaN

/** The run of a target that a row shows: with the usual trim, a room target with trims at all hours where there are. */
function shownRun(result: CaseResult, isMetered: boolean, target: Target): RunResult | undefined {
  if (target === 'return') return usualRun(result, isMetered)
  const [first] = pick(result, { isMetered, target, trim: 24 })
  return first ?? pick(result, { isMetered, target, trim: 'none' })[0]
}

/** One row for a case, a target and meters: means over the seeds, counts as sums. */
function toRow(results: readonly CaseResult[], isMetered: boolean, target: Target): readonly string[] {
  const pairs = results.flatMap((result) => {
    const run = shownRun(result, isMetered, target)
    return run ? [{ result, run }] : []
  })
  const meanOf = (read: (run: RunResult) => number): number => mean(pairs.map(({ run }) => read(run)))
  const all = results.flatMap((result) => pick(result, { isMetered, target }))
  const verdicts = pairs.map(({ run, result }) => countVerdicts(run, result))
  const rounds = [...new Set(all.flatMap((run) => run.rounds))]
  const covered = rounds.flatMap((round) => (round.kind === 'verified' ? (isCovered(round) ?? []) : []))
  const outcomes = [...new Set(pairs.map(({ run }) => outcomeOf(run)))].filter((each) => each !== 'verified')
  const verified = pairs.filter(({ run, result }) => isVerified(run, result)).length
  const inverted = sum(verdicts.map((count) => count.inverted))
  const blocked = sum(verdicts.map((count) => count.blocked))
  return [
    `${results[0]?.foreign.name ?? ''}${isMetered ? '' : ', no meters'}`,
    target,
    text(meanOf(({ before }) => before.sigmaReturnK)),
    text(meanOf(({ oneStep }) => orNaN(oneStep?.sigmaReturnK))),
    text(meanOf(({ afterTrim }) => orNaN(afterTrim?.sigmaReturnK))),
    text(meanOf(({ end }) => end.sigmaReturnK)),
    text(meanOf(({ moves }) => moves)),
    text(meanOf(({ end }) => end.sigmaRoomK)),
    text(
      meanOf(({ end }) => end.cold),
      0,
    ),
    text(mean(pairs.map(({ result }) => result.alone.cold)), 0),
    String(all.filter(({ colder }) => colder > 0).length),
    String(sum(rounds.map(coldGivenLess))),
    String(sum(rounds.map(coldOrderedClosed))),
    String(sum(verdicts.map(({ stuck }) => stuck))),
    String(sum(verdicts.map(({ slipping }) => slipping))),
    blocked === 0 ? '–' : `${sum(verdicts.map(({ found }) => found))}/${blocked}`,
    inverted === 0 ? '–' : `${sum(verdicts.map(({ invertedFound }) => invertedFound))}/${inverted}`,
    String(sum(verdicts.map(({ invertedFalse }) => invertedFalse))),
    `${verified}/${pairs.length}${outcomes.length > 0 ? ` (${outcomes.join(' | ')})` : ''}`,
    target === 'return' ? `${covered.filter(Boolean).length}/${covered.length}` : '–',
  ]
}

/** Rows of the loops beside: the industry's, and the proportional strategy where it ran. */
function toLoopRows(results: readonly CaseResult[]): readonly (readonly string[])[] {
  const name = results[0]?.foreign.name ?? ''
  const row = (
    label: string,
    loops: readonly { readonly end: RunResult['end']; readonly moves: number }[],
  ) => {
    const cells = HEAD.map(() => '')
    cells[0] = `${name}, ${label}`
    cells[1] = 'return'
    cells[5] = text(mean(loops.map(({ end }) => end.sigmaReturnK)))
    cells[6] = text(mean(loops.map(({ moves }) => moves)))
    cells[7] = text(mean(loops.map(({ end }) => end.sigmaRoomK)))
    cells[8] = text(mean(loops.map(({ end }) => end.cold)), 0)
    cells[9] = text(mean(results.map(({ alone }) => alone.cold)), 0)
    return cells
  }
  const industry = row(
    'industry loop',
    results.map((result) => result.industry),
  )
  industry[3] = text(mean(results.map((result) => result.industry.after30H.sigmaReturnK)))
  const strategies = results.flatMap(({ strategy }) => strategy ?? [])
  return strategies.length > 0 ? [industry, row('proportional strategy', strategies)] : [industry]
}

/** Columns as wide as their widest cell. */
function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 2 || column === HEAD.indexOf('verified')
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** The table of all cases: a row for each target with and without meters, then the loops beside. */
export function toCaseTable(results: readonly CaseResult[]): readonly string[] {
  const cases = [...Map.groupBy(results, ({ foreign }) => foreign.name).values()]
  const rows = cases.flatMap((own) => [
    ...[true, false].flatMap((isMetered) =>
      own[0]?.foreign.onlyMetered && !isMetered
        ? []
        : (['return', 'room'] as const).map((target) => toRow(own, isMetered, target)),
    ),
    ...toLoopRows(own),
  ])
  return align([HEAD, ...rows])
}
