/**
 * Mutation testing: changes the code below the given paths in small ways and reports the changes that no test of the
 * same paths notices. Slow tests are left out.
 *
 *   npm run test:mutation -- packages/tree
 */
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Stryker } from '@stryker-mutator/core'

const root = join(import.meta.dirname, '..')
const paths = process.argv.slice(2).map((path) => path.replace(/\/$/, ''))
const missing = paths.filter((path) => !existsSync(join(root, path)))
if (paths.length === 0 || missing.length > 0) {
  console.error(
    missing.length > 0
      ? `No such path: ${missing.join(', ')}`
      : 'Name a folder or file: packages/tree, for example',
  )
  process.exit(1)
}

const isFolder = (path: string): boolean => statSync(join(root, path)).isDirectory()
/** Tests to run for a path. For a folder: all tests below it. For a file: its own test, or else the tests of its folder. */
function toTests(path: string): string {
  if (isFolder(path)) return `${path}/**/*.test.ts`
  const own = path.replace(/\.ts$/, '.test.ts')
  return existsSync(join(root, own)) ? own : `${path.replace(/\/[^/]*$/, '')}/**/*.test.ts`
}
process.env.ISOTHERM_MUTATION_TESTS = paths.map(toTests).join(' ')

/** Lowest accepted score, %. Below it, more than one mutant in five survives, so the tests are too weak. */
const MIN_SCORE = 80

const results = await new Stryker({
  packageManager: 'npm',
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: [
    ...paths.map((path) => (isFolder(path) ? `${path}/**/*.ts` : path)),
    '!**/*.test.ts',
    '!**/*.testkit.ts',
    '!**/*.tsx',
  ],
  coverageAnalysis: 'perTest',
  // Skips mutants outside functions. Each would need a new process, which takes most of the time and finds little.
  ignoreStatic: true,
  concurrency: Number(process.env.ISOTHERM_MUTATION_WORKERS ?? 2),
  timeoutMS: 2_000,
  timeoutFactor: 1.25,
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: 'coverage/mutation/report.html' },
  jsonReporter: { fileName: 'coverage/mutation/report.json' },
  thresholds: { high: 90, low: MIN_SCORE, break: MIN_SCORE },
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  // There is no such file. For an existing one the runner calls an API of TypeScript that version 7 does not have.
  tsconfigFile: 'none.json',
  disableTypeChecks: false,
  // Tests compare the tables of docs/specs with the code.
  ignorePatterns: ['docs/*', '!docs/specs', 'tests', '.data', 'test-results', 'apps/console/dist'],
  tempDirName: '.stryker-tmp',
}).runMutationTest()

rmSync(join(root, '.stryker-tmp'), { recursive: true, force: true })
if (results.length === 0) process.exitCode = 1
