import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { FlakyTests } from './tools/flaky-tests.ts'

/** Long proofs: killed processes, simulated days, published cases at length. `npm run test:slow` runs them. */
export const slowTests = ['{apps,packages}/*/src/**/*.slow.test.ts', '{tools,bench}/**/*.slow.test.ts']
const unslow = [...configDefaults.exclude, ...slowTests]

const pure = [
  'packages/{balancing,codecs,contract,hydraulics,irrigation,kernel,profiles,thermal,tree}/src/**/*.test.ts',
  'apps/console/src/**/*.test.ts',
]
const components = ['apps/console/src/**/*.test.tsx']

/** Settings of the quick and the slow run. */
export const shared = {
  // Tests of the server wait for databases and time limits for half of their time.
  maxWorkers: Math.max(5, 2 * availableParallelism()),
  // What may need longer on a busy machine says so itself.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  // What comes by itself is waited for as long as in the browser; after the default of 1 s a busy machine fails.
  expect: { poll: { timeout: 30_000 } },
  // A worker that serves many files loads what they share once. What one file leaves behind the next would find:
  // spies and timers are taken back by who sets them.
  isolate: false,
  setupFiles: ['tools/property-seed.ts'],
  // A test that passes at the second attempt is named at the end; several of them fail the run (ADR 105).
  retry: 1,
}

/** Reporters of a whole run. */
export const reporters = ['default', new FlakyTests()]

export default defineConfig({
  test: {
    ...shared,
    reporters,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude: unslow } },
      {
        extends: true,
        test: {
          name: 'components',
          include: components,
          environment: 'happy-dom',
          setupFiles: ['apps/console/src/shared/testing/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.{ts,tsx}',
            'clients/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...unslow, ...pure, ...components],
          globalSetup: ['packages/engines/src/test-global-setup.ts'],
        },
      },
    ],
  },
})
