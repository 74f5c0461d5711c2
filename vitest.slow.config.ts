import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reporters, shared, slowTests } from './vitest.config.ts'

/**
 * Tests of killed processes are the longest and mostly wait. They come first, so that none of them runs alone at the end. The
 * test of the product's start has a limit in seconds, so it comes last, when the other workers have little left.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const toTurn = ({ moduleId }: TestSpecification) =>
      moduleId.includes('killed.slow.') ? 0 : moduleId.includes('start-product.slow.') ? 2 : 1
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => toTurn(left) - toTurn(right))
  }
}

export default defineConfig({
  test: {
    ...shared,
    reporters,
    // Tests that wait for killed processes are two fifths of the time: a third worker has room beside two that load the machine.
    maxWorkers: 3,
    include: slowTests,
    sequence: { sequencer: WaitingFirst },
    globalSetup: ['packages/engines/src/test-global-setup.ts'],
  },
})
