import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const pure = [
  'packages/{balancing,contract,hydraulics,kernel,thermal,tree}/src/**/*.test.ts',
  'apps/console/src/**/*.test.ts',
]
const components = ['apps/console/src/**/*.test.tsx']

export default defineConfig({
  test: {
    // Tests of the server wait for databases for a third of their time: on two cores a third worker has room.
    maxWorkers: Math.max(3, availableParallelism()),
    // What may need longer on a busy machine says so itself.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What comes by itself is waited for as long as in the browser; after the default of 1 s a busy machine fails.
    expect: { poll: { timeout: 10_000 } },
    // A worker that serves many files loads what they share once. What one file leaves behind the next would find:
    // spies and timers are taken back by who sets them.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'pure', include: pure } },
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
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...pure, ...components],
          globalSetup: ['packages/engines/src/test-global-setup.ts'],
        },
      },
    ],
  },
})
