import { configDefaults, defineConfig } from 'vitest/config'
import { shared, slowTests } from './vitest.config.ts'

/** The tests that judge mutants: those of the paths given to `npm run test:mutation`. */
const include = (process.env.ISOTHERM_MUTATION_TESTS ?? '').split(' ').filter((glob) => glob !== '')

export default defineConfig({
  test: {
    ...shared,
    include,
    exclude: [...configDefaults.exclude, ...slowTests, '**/*.reference.test.ts'],
    setupFiles: [...shared.setupFiles, 'tools/few-samples.ts'],
    ...(include.some((glob) => glob.startsWith('apps/server'))
      ? { globalSetup: ['packages/engines/src/test-global-setup.ts'] }
      : {}),
  },
})
