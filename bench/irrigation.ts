import { listStarts } from '@isotherm/irrigation/plan/list-starts'
import { planRuns } from '@isotherm/irrigation/plan/plan-runs'
import { DAY_MS } from '@isotherm/kernel/durations'
import type { Bench, BenchResult } from './bench.ts'
import { type BenchSource, clock, makeField } from './irrigation/make-field.ts'
import { type DayResult, runDay } from './irrigation/run-day.ts'

const GROUPS = 200
const SEED = 20_260_401
const SEASON_DAYS = 183
const YEAR_DAYS = 365
/** Local midnight of 1 April 2026. */
const START = clock.toInstant(Date.UTC(2026, 3, 1))

/** Evapotranspiration and rain of a day, mm: more sun in summer, a wet day in six. */
const toDemand = (day: number) => ({
  etMm: 4 + 3 * Math.sin((Math.PI * day) / SEASON_DAYS),
  rainMm: day % 6 === 0 ? 8 : 0,
  days: 1,
})

/** Plans and runs each day of a season, with the weather of the day before. */
function runSeason(field: BenchSource): readonly DayResult[] {
  const { source, groups, programs } = field
  return Array.from({ length: SEASON_DAYS }, (_, day) => {
    const from = START + day * DAY_MS
    const conditions = { demand: toDemand(day), moisturePct: new Map<number, number>() }
    const runs = planRuns({ source, groups, programs, clock, conditions, from, until: from + DAY_MS })
    return runDay(field, runs)
  })
}

const previewYear = ({ source, groups, programs }: BenchSource): number =>
  planRuns({
    source,
    groups,
    programs,
    clock,
    conditions: { moisturePct: new Map() },
    from: START,
    until: START + YEAR_DAYS * DAY_MS,
  }).length

/**
 * The same programs without capacity, daily limit, weather and cycles: each valve opens when the one before has
 * closed.
 */
function runPlainly({ groups, programs }: BenchSource): number {
  const openings: { readonly fromMs: number; readonly untilMs: number }[] = []
  const valves = new Map(groups.map((group) => [group.id, group.valves]))
  for (const program of programs)
    for (let atMs of listStarts(program, { clock }, START, START + SEASON_DAYS * DAY_MS))
      for (const { groupId, runS } of program.entries)
        for (const _ of valves.get(groupId) ?? []) {
          openings.push({ fromMs: atMs, untilMs: atMs + runS * 1000 })
          atMs += runS * 1000
        }
  return openings.length
}

function time<Result>(work: () => Result): { readonly s: number; readonly result: Result } {
  const start = performance.now()
  const result = work()
  return { s: (performance.now() - start) / 1000, result }
}

export const bench: Bench = {
  name: 'irrigation',
  about: 'A season of 200 groups planned and run day by day, and a preview of a year',
  run: async (): Promise<BenchResult> => {
    const field = makeField(GROUPS, SEED)
    const season = time(() => field.map(runSeason))
    const preview = time(() => field.reduce((sum, source) => sum + previewYear(source), 0))
    const plain = time(() => field.reduce((sum, source) => sum + runPlainly(source), 0))
    const days = season.result.flat()
    const peak = Math.max(...days.map(({ peakM3H }) => peakM3H))
    const used = Math.max(...days.map(({ usedM3 }) => usedM3))
    return {
      figures: { season_200_groups_s: season.s, preview_year_200_groups_s: preview.s },
      peers: [
        {
          figure: 'season_200_groups_s',
          label: 'a plain loop without capacity, water of the day, weather and cycles',
          value: plain.s,
        },
      ],
      notes: [
        `${GROUPS} groups of 4 valves at ${field.length} sources, ${SEASON_DAYS} days, ${days.reduce((sum, { openings }) => sum + openings, 0)} openings; the plain loop: ${plain.result}`,
        `greatest flow at once ${peak.toFixed(1)} of ${field[0]?.source.capacityM3H} m³/h, greatest day ${used.toFixed(1)} of ${field[0]?.source.dailyBudgetM3} m³`,
        `${preview.result} runs in the preview of a year`,
      ],
    }
  },
}
