import { mean } from '@isotherm/kernel/statistics'
import type { Bench, BenchResult } from './bench.ts'
import { atComfort, comfortOf, degreeHoursAt } from './season/equal-comfort.ts'
import { runSeason, type SeasonResult } from './season/run-season.ts'
import { DAYS } from './season/season-site.ts'
import { toSeasonTable } from './season/season-table.ts'
import { headRules } from './season/strategies.ts'
import type { Tally } from './season/tally.ts'

/** Six seeds for a whole run; ISOTHERM_BENCH_SEEDS=1 for a quick one. */
const FIRST_SEED = Number(process.env.ISOTHERM_BENCH_FIRST_SEED ?? 1)
const SEEDS = Array.from(
  { length: Number(process.env.ISOTHERM_BENCH_SEEDS ?? 6) },
  (_, index) => FIRST_SEED + index,
)
const BUILDINGS = 100

/** Energy and cold of the others at the comfort of our season. */
function compare({ alone, industry, ours }: SeasonResult) {
  const comfortC = comfortOf(ours.tally)
  const at = (runs: SeasonResult['alone'], read: (tally: Tally) => number): number =>
    atComfort(comfortC, [runs[0].tally, runs[1].tally], read)
  const coldAt = (runs: SeasonResult['alone']): number =>
    degreeHoursAt(comfortC, [runs[0].tally, runs[1].tally], ({ coldKh }) => coldKh)
  const [heat, pump] = [({ heatKwh }: Tally) => heatKwh, ({ pumpKwh }: Tally) => pumpKwh]
  return {
    heatPct: 100 * (1 - ours.tally.heatKwh / at(alone, heat)),
    overIndustryPct: 100 * (1 - ours.tally.heatKwh / at(industry, heat)),
    industryHeatPct: 100 * (1 - at(industry, heat) / at(alone, heat)),
    pumpPct: 100 * (1 - ours.tally.pumpKwh / at(alone, pump)),
    industryPumpPct: 100 * (1 - at(industry, pump) / at(alone, pump)),
    coldRatio: ours.tally.coldKh / coldAt(alone),
    industryColdRatio: coldAt(industry) / coldAt(alone),
  }
}

/** Whether the interval that was reported has the true saving beside the plant left alone in the same weather. */
const isCovered = ({ reported, alone, ours }: SeasonResult): boolean => {
  const saved = alone[0].tally.heatKwh - ours.tally.heatKwh
  return reported !== undefined && saved >= reported.lowKwh && saved <= reported.highKwh
}

const movesPerDay = (moves: number): number => moves / BUILDINGS / DAYS

async function run(): Promise<BenchResult> {
  const results: SeasonResult[] = []
  for (const seed of SEEDS) results.push(await runSeason(seed))
  const compared = results.map(compare)
  const over = (read: (one: ReturnType<typeof compare>) => number): number => mean(compared.map(read))
  return {
    figures: {
      heat_saving_pct: over(({ heatPct }) => heatPct),
      heat_saving_over_industry_pct: over(({ overIndustryPct }) => overIndustryPct),
      pump_saving_pct: over(({ pumpPct }) => pumpPct),
      cold_degree_hours_ratio: over(({ coldRatio }) => coldRatio),
      moves_per_valve_day: mean(results.map(({ ours }) => movesPerDay(ours.moves))),
      // A strategy that halted waits for a person.
      human_actions: results.filter(({ ours }) => ours.balance.hasHalted).length,
      saving_coverage: results.filter(isCovered).length / results.length,
    },
    peers: [
      {
        figure: 'heat_saving_pct',
        label: 'industry loop, %',
        value: over(({ industryHeatPct }) => industryHeatPct),
      },
      {
        figure: 'pump_saving_pct',
        label: 'industry loop, %',
        value: over(({ industryPumpPct }) => industryPumpPct),
      },
      {
        figure: 'cold_degree_hours_ratio',
        label: 'industry loop',
        value: over(({ industryColdRatio }) => industryColdRatio),
      },
      {
        figure: 'moves_per_valve_day',
        label: 'industry loop',
        value: mean(results.map(({ industry }) => movesPerDay(industry[0].moves))),
      },
    ],
    notes: [
      ...toSeasonTable(results),
      '',
      'Left alone and industry loop: two supply temperatures each; their energy and cold are interpolated at the 5th percentile of rooms of our season. Degree-hours are flats × K × h.',
      `Before the season people start both strategies, which may lower the pump to ${headRules.minShare} of its head; a human action is one after that.`,
      'Reported: saving with its 90 % interval, computed from the readings of the station against the winter before. True: left alone minus ours in the same weather.',
      `${SEEDS.length} seeds of ${BUILDINGS} buildings with 10 flats each, ${DAYS} days; faults, wear and people are the same in every run of a seed.`,
    ],
  }
}

export const bench: Bench = {
  name: 'season',
  about: 'a winter of 120 days with faults: what balancing and a lower supply save at equal comfort',
  run,
}
