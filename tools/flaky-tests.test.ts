import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { MAX_FLAKY } from './flaky-tests.ts'

const run = promisify(execFile)

/** Runs that many tests, each of which fails at its first attempt only, with the reporter. */
async function runFlaky(count: number): Promise<{ code: number; output: string }> {
  // Below the folder of this file, so that the made-up tests find Vitest.
  const folder = mkdtempSync(join(import.meta.dirname, '..', 'node_modules', '.flaky-'))
  try {
    const tests = Array.from(
      { length: count },
      (_, index) => `let tries${index} = 0
it('settles ${index}', () => { tries${index} += 1; expect(tries${index}, 'attempt').toBe(2) })`,
    )
    writeFileSync(join(folder, 'made-up.test.ts'), `import { expect, it } from 'vitest'\n${tests.join('\n')}`)
    const reporter = join(import.meta.dirname, 'flaky-tests.ts')
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `import { FlakyTests } from ${JSON.stringify(reporter)}
export default { root: ${JSON.stringify(folder)}, test: { include: ['*.test.ts'], retry: 1, reporters: [new FlakyTests()] } }`,
    )
    const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs')
    const args = [vitest, 'run', '--config', join(folder, 'vitest.config.ts')]
    return await run(process.execPath, args).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('names a test that passes at the second attempt and lets the run pass', async () => {
  const { code, output } = await runFlaky(1)
  expect(output).toContain('made-up.test.ts > settles 0')
  expect(output).toContain('attempt: expected 1 to be 2')
  expect(code).toBe(0)
})

it('fails the run when too many tests are flaky', async () => {
  const { code, output } = await runFlaky(MAX_FLAKY + 1)
  expect(output).toContain('so the run fails')
  expect(code).toBe(1)
})
