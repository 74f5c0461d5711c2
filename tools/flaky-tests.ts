import type { Reporter, TestCase } from 'vitest/node'

/** With more flaky tests than this, the run fails: then it is not chance but the product or the machine. */
export const MAX_FLAKY = 3

export interface FlakyRun {
  /** Module, suites and name of a test that failed first and then passed, with the message of its failure. */
  readonly name: string
  readonly message: string
}

/** What is printed about the flaky tests of a run. */
export function describeFlaky(flaky: readonly FlakyRun[]): string {
  const lines = flaky.map(({ name, message }) => `  ${name}\n    ${message.split('\n')[0]}`)
  const verdict = flaky.length > MAX_FLAKY ? `more than ${MAX_FLAKY}, so the run fails` : 'mend them'
  return `Flaky tests, which passed at the second attempt (${verdict}):\n${lines.join('\n')}`
}

/**
 * Reports the tests that failed first and passed when they were tried again. A few of them do not fail the run: in a
 * run of ten thousand tests beside real engines they mostly show how busy the machine was. Each is printed.
 */
export class FlakyTests implements Reporter {
  readonly #flaky: FlakyRun[] = []

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const message = test.result().errors?.[0]?.message ?? 'without a message'
    this.#flaky.push({ name: `${test.module.relativeModuleId} > ${test.fullName}`, message })
  }

  onTestRunEnd(): void {
    if (this.#flaky.length === 0) return
    console.error(describeFlaky(this.#flaky))
    if (this.#flaky.length > MAX_FLAKY) process.exitCode = 1
  }
}
