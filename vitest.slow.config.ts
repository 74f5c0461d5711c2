import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reporters, shared, slowTests } from './vitest.config.ts'

/**
 * Starts the longest files first, so that none of them runs alone at the end: killed processes, which mostly wait, and
 * millions of random inputs.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      /(killed|fuzz|property)\.slow\./.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    ...shared,
    reporters,
    // Tests that wait for killed processes are two fifths of the time: a third worker has room beside two that load the machine.
    maxWorkers: 3,
    include: slowTests,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['packages/engines/src/test-global-setup.ts'],
  },
})
