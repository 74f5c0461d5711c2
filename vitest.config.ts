import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const pure = [
  'packages/{balancing,contract,hydraulics,kernel,thermal,tree}/src/**/*.test.ts',
  'apps/console/src/**/*.test.{ts,tsx}',
]

export default defineConfig({
  test: {
    // One fewer than there are cores is the default: on two cores that leaves one idle while databases answer.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure,
          // They touch nothing outside themselves: a worker that serves many files loads what they share once.
          isolate: false,
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
          exclude: [...configDefaults.exclude, ...pure],
          globalSetup: ['packages/engines/src/test-global-setup.ts'],
        },
      },
    ],
  },
})
