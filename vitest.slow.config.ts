import { defineConfig } from 'vitest/config'
import { reporters, shared, slowTests } from './vitest.config.ts'

export default defineConfig({
  test: {
    ...shared,
    reporters,
    // Each of these tests loads the machine by itself.
    maxWorkers: 2,
    include: slowTests,
    globalSetup: ['packages/engines/src/test-global-setup.ts'],
  },
})
