/**
 * Runs a company of 100,000 households under load, with a fault every ten minutes, and reports what grows:
 *
 *   npm run soak -- --hours N [--json FILE]
 *
 * Exit code 1 if memory grows faster than its budget, a message is lost or an error has no fault that explains it; 2 for
 * wrong arguments.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { readBudgets } from '../budgets.ts'
import { onEngines } from '../server/own-server.ts'
import { runSoak } from './run-soak.ts'
import { findSlope } from './slope.ts'

/** Samples before are not part of the slopes, h: a server fills its caches first. */
const WARM_UP_H = 0.5
const SHOWN_ERRORS = 20

const { values } = parseArgs({ options: { hours: { type: 'string' }, json: { type: 'string' } } })
const hours = Number(values.hours)
if (!(hours > 0)) {
  console.error('Name the duration: npm run soak -- --hours N [--json FILE]')
  process.exit(2)
}
const settings = {
  hours,
  periodMs: Number(process.env.ISOTHERM_BENCH_PERIOD_MINUTES ?? 10) * MINUTE_MS,
  size: {
    households: Number(process.env.ISOTHERM_BENCH_HOUSEHOLDS ?? 100_000),
    days: Number(process.env.ISOTHERM_BENCH_DAYS ?? 1),
    densePercent: 100,
  },
  consoles: 50,
}
const result = await onEngines((urls, folder, pids) => runSoak(settings, urls, folder, pids, console.log), {
  folder: process.env.ISOTHERM_BENCH_FOLDER,
})

const measured = result.periods.filter(({ atH }) => atH > WARM_UP_H)
const slopes = Object.fromEntries(
  (['usedMb', 'rssMb', 'handles', 'diskMb', 'pageP95Ms', 'pushP95Ms', 'pubackP99Ms'] as const).map((name) => [
    name,
    findSlope(
      measured
        .filter((period) => !Number.isNaN(period[name]))
        .map((period) => ({ atH: period.atH, value: period[name] })),
    ),
  ]),
)
console.log('\nGrowth per hour after the first half hour:')
for (const [name, slope] of Object.entries(slopes))
  console.log(`  ${name.padEnd(12)} ${slope === undefined ? 'too few samples' : slope.toFixed(2)}`)
console.log(
  `${result.messages} acknowledged messages, ${result.lost} of them not stored; ${result.explained} errors explained by faults, ${result.unexplained.length} not`,
)
for (const { at, what } of result.unexplained.slice(0, SHOWN_ERRORS))
  console.log(`  ${new Date(at).toISOString()} ${what}`)
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ ...result, slopes }, null, 2)}\n`)

const allowed = readBudgets('operations').get('soak_memory_mb_per_h')?.required ?? 2
const leaks = (slopes.usedMb ?? 0) > allowed
if (leaks) console.log(`Memory in use grows by more than ${allowed} MB/h.`)
process.exitCode = leaks || result.lost > 0 || result.unexplained.length > 0 ? 1 : 0
