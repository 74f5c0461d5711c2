import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reporters, shared, slowTests } from './vitest.config.ts'

/**
 * Starts the longest files first, so that none of them runs alone at the end: killed processes, backups and brokers, which
 * mostly wait, and millions of random inputs.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      /(backup|faults|fuzz|isolation|killed|property|release)\.slow\./.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    ...shared,
    reporters,
    // They wait two thirds of their time, for killed processes, time limits and engines: 900 s of processor time in 2,400 s.
    maxWorkers: Math.max(6, 3 * availableParallelism()),
    include: slowTests,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['packages/engines/src/test-global-setup.ts'],
  },
})
