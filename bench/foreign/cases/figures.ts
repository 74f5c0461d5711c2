import { sum, weightedMean } from '@isotherm/kernel/statistics'
import { BASE, EVERYTHING } from './case-list.ts'
import { coldGivenLess, countVerdicts, isCovered, isVerified } from './count-rounds.ts'
import type { CaseResult, RunResult, Target, TrimTime } from './run-case.ts'

/** The usual time of the one trim of a return target. */
const USUAL_TRIM = 24

interface Wanted {
  readonly isMetered?: boolean
  readonly target?: Target
  readonly trim?: TrimTime
}

export const pick = ({ runs }: Pick<CaseResult, 'runs'>, wanted: Wanted): readonly RunResult[] =>
  runs.filter(
    ({ isMetered, target, trim }) =>
      isMetered === (wanted.isMetered ?? isMetered) &&
      target === (wanted.target ?? target) &&
      trim === (wanted.trim ?? trim),
  )

/** The run of a return target with one trim, or without one if the campaign did not come so far. */
export const usualRun = (result: CaseResult, isMetered: boolean): RunResult | undefined =>
  pick(result, { isMetered, target: 'return', trim: USUAL_TRIM })[0] ??
  pick(result, { isMetered, target: 'return', trim: 'none' })[0]

const share = (part: number, whole: number): number => (whole === 0 ? Number.NaN : part / whole)

/** Share of valves over runs of a target. Trims continue the first round, so one series of rounds of a case counts. */
function verdictShares(results: readonly CaseResult[], isMetered: boolean) {
  const counts = results.flatMap((result) => {
    const run = usualRun(result, isMetered)
    return run ? [countVerdicts(run, result)] : []
  })
  const total = (read: (count: (typeof counts)[number]) => number): number => sum(counts.map(read))
  return {
    stuck: share(
      total(({ stuck }) => stuck),
      total(({ judged }) => judged),
    ),
    slipping: share(
      total(({ slipping }) => slipping),
      total(({ judged }) => judged),
    ),
    invertedFound: share(
      total(({ invertedFound }) => invertedFound),
      total(({ inverted }) => inverted),
    ),
    found: share(
      total(({ found }) => found),
      total(({ blocked }) => blocked),
    ),
  }
}

/** Cases, modes and hours of trims in which more flats are below 18 °C than left alone, in any of the seeds. */
export function listColder(results: readonly CaseResult[]): readonly string[] {
  return [
    ...new Set(
      results.flatMap(({ foreign, runs }) =>
        runs.flatMap(({ isMetered, target, trim, colder }) =>
          colder > 0 ? [`${foreign.name} · ${isMetered ? 'meters' : 'no meters'} · ${target} · ${trim}`] : [],
        ),
      ),
    ),
  ]
}

/** All first rounds, and every other round once: branches share the rounds before their trim. */
export const roundsOf = ({ runs }: Pick<CaseResult, 'runs'>) => [
  ...new Set(runs.flatMap(({ rounds }) => rounds)),
]

/** Figures of all cases and seeds, by the names of their budgets. */
export function toFigures(results: readonly CaseResult[]): Readonly<Record<string, number>> {
  const named = (name: string) => results.filter(({ foreign }) => foreign.name === name)
  const counting = (what: 'fault' | 'curves' | 'blocked' | 'inverted') =>
    results.filter(({ foreign }) => foreign.counts?.includes(what))
  const base = named(BASE)
  const over = (read: (result: CaseResult) => number | undefined): number =>
    weightedMean(base.map((result) => read(result) ?? Number.NaN)) ?? Number.NaN
  const faulty = counting('fault').flatMap((result) =>
    pick(result, { trim: 'none' }).map((run) => isVerified(run, result)),
  )
  const covered = results.flatMap(({ runs }) =>
    [...new Set(runs.filter(({ target }) => target === 'return').flatMap(({ rounds }) => rounds))].flatMap(
      (round) => (round.kind === 'verified' ? (isCovered(round) ?? []) : []),
    ),
  )
  const usual = results.flatMap((result) => result.runs.map((run) => countVerdicts(run, result)))
  const curves = verdictShares(counting('curves'), true)
  return {
    sigma_return_one_step_k: over((result) => usualRun(result, true)?.oneStep?.sigmaReturnK),
    sigma_return_after_trim_k: over((result) => usualRun(result, true)?.afterTrim?.sigmaReturnK),
    ratio_to_industry_everything_6d:
      weightedMean(
        named(EVERYTHING).map(
          (result) =>
            (usualRun(result, true)?.end.sigmaReturnK ?? Number.NaN) / result.industry.end.sigmaReturnK,
        ),
      ) ?? Number.NaN,
    sigma_room_target_6d_k: over(
      (result) => pick(result, { isMetered: true, target: 'room', trim: 'series' })[0]?.end.sigmaRoomK,
    ),
    cases_with_more_rooms_below_18: listColder(results).length,
    cold_buildings_given_less: sum(results.flatMap((result) => roundsOf(result).map(coldGivenLess))),
    healthy_called_stuck_share: curves.stuck,
    healthy_called_slipping_share: curves.slipping,
    stuck_found_share: verdictShares(counting('blocked'), true).found,
    stuck_found_share_no_meters: verdictShares(counting('blocked'), false).found,
    inverted_found_share: verdictShares(counting('inverted'), true).invertedFound,
    others_called_inverted: sum(usual.map(({ invertedFalse }) => invertedFalse)),
    campaigns_verified_share: share(faulty.filter(Boolean).length, faulty.length),
    expected_sigma_coverage: share(covered.filter(Boolean).length, covered.length),
  }
}
