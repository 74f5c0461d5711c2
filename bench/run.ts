/**
 * Runs one benchmark and prints its figures beside their budgets:
 *
 *   npm run bench -- NAME [--json FILE]
 *
 * Exit code 1 if a figure misses its required budget, 2 for wrong arguments.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { judge, readBudgets } from './budgets.ts'
import { toReport } from './report.ts'

const isBench = (value: unknown): value is Bench =>
  typeof value === 'object' && value !== null && 'name' in value && 'about' in value && 'run' in value

async function findBench(name: string): Promise<Bench | undefined> {
  if (!/^[a-z][a-z-]*$/.test(name) || !readdirSync(import.meta.dirname).includes(`${name}.ts`))
    return undefined
  const module: unknown = await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)
  if (typeof module !== 'object' || module === null || !('bench' in module)) return undefined
  return isBench(module.bench) ? module.bench : undefined
}

async function listBenches(): Promise<readonly string[]> {
  const names = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'run.ts')
    .map((file) => file.slice(0, -'.ts'.length))
  const benches = await Promise.all(names.map(findBench))
  return benches.flatMap((bench) => (bench ? [`  ${bench.name.padEnd(10)} ${bench.about}`] : []))
}

const { values, positionals } = parseArgs({ options: { json: { type: 'string' } }, allowPositionals: true })
const [name = ''] = positionals
const bench = await findBench(name)
if (bench === undefined) {
  const problem = name === '' ? 'Name a bench' : `There is no bench "${name}"`
  console.error(`${problem}: npm run bench -- NAME [--json FILE]\n${(await listBenches()).join('\n')}`)
  process.exit(2)
}
console.log(`${bench.name}: ${bench.about}\n`)
const result = await bench.run()
const budgets = readBudgets(bench.name)
console.log(toReport(result, budgets))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result.figures, null, 2)}\n`)
const missed = Object.entries(result.figures).filter(
  ([figure, value]) => judge(value, budgets.get(figure)) === 'MISSES',
)
process.exitCode = missed.length > 0 ? 1 : 0
