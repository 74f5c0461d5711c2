import type { Bench, BenchResult } from './bench.ts'
import { BASE, EVERYTHING, foreignCases } from './foreign/cases/case-list.ts'
import { toCaseTable } from './foreign/cases/case-table.ts'
import { listColder, toFigures } from './foreign/cases/figures.ts'
import { type CaseResult, createPlants, runCase } from './foreign/cases/run-case.ts'

/** Seeds of the plants: six for a whole run; ISOTHERM_BENCH_SEEDS=1 for a quick one. */
const FIRST_SEED = Number(process.env.ISOTHERM_BENCH_FIRST_SEED ?? 1)
const SEEDS = Array.from(
  { length: Number(process.env.ISOTHERM_BENCH_SEEDS ?? 6) },
  (_, index) => FIRST_SEED + index,
)
/** Only cases whose name contains this. */
const ONLY = process.env.ISOTHERM_BENCH_CASES ?? ''

const toPeers = (results: readonly CaseResult[], name: string, figure: string): BenchResult['peers'] => {
  const own = results.filter(({ foreign }) => foreign.name === name)
  const meanOf = (read: (result: CaseResult) => number): number =>
    own.reduce((sum, result) => sum + read(result), 0) / Math.max(1, own.length)
  if (own.length === 0) return []
  return [
    {
      figure,
      label: `${name}: industry loop after 30 h, K`,
      value: meanOf((one) => one.industry.after30H.sigmaReturnK),
    },
    {
      figure,
      label: `${name}: industry loop after 6 days, K`,
      value: meanOf((one) => one.industry.end.sigmaReturnK),
    },
    {
      figure,
      label: `${name}: proportional strategy after 6 days, K`,
      value: meanOf((one) => one.strategy?.end.sigmaReturnK ?? Number.NaN),
    },
  ]
}

async function run(): Promise<BenchResult> {
  const results: CaseResult[] = []
  for (const seed of SEEDS) {
    const plantOf = createPlants()
    for (const foreign of foreignCases)
      if (foreign.name.includes(ONLY)) results.push(await runCase(foreign, seed, plantOf))
  }
  const colder = listColder(results)
  return {
    figures: toFigures(results),
    peers: [
      ...toPeers(results, BASE, 'sigma_return_one_step_k'),
      ...toPeers(results, EVERYTHING, 'ratio_to_industry_everything_6d'),
    ],
    notes: [
      ...toCaseTable(results),
      '',
      'σ in K of true returns by area. One step: a day after the plan. Trimmed: a day after a trim at 24 h. Industry loop: after 30 h and 6 days.',
      'Colder: trim hours with more flats below 18 °C than left alone. Given less: buildings with measured cold rooms that lost flow. Closed: those whose valve was ordered to close. Stuck!, slip!: healthy valves. Inverted, inverted!: inverted valves found, and others called so.',
      ...(colder.length > 0
        ? ['', 'More flats below 18 °C than left alone:', ...colder.map((each) => `  ${each}`)]
        : []),
      `${SEEDS.length} seeds of 60 buildings with 10 flats each.`,
    ],
  }
}

export const bench: Bench = {
  name: 'foreign',
  about: 'balancing a plant by other physics than the twin’s: faults, wrong records, other loops beside',
  run,
}
