import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase } from '@isotherm/engines/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)
const script = fileURLToPath(new URL('import-many.testkit.ts', import.meta.url))

/** Heap limit of the process, MB. Its use does not grow with the rows (docs/specs/transfer.md). */
const HEAP_MB = 128
const ROWS = Number(process.env.ISOTHERM_TEST_IMPORT_ROWS ?? 6_000)

const report = z.object({
  state: z.string(),
  added: z.number(),
  failed: z.number(),
  peakHeapBytes: z.number(),
})

test('a large workbook is imported and exported in a heap it would not fit into', async () => {
  const database = await createTestDatabase()
  try {
    const { stdout } = await run(process.execPath, [
      `--max-old-space-size=${HEAP_MB}`,
      script,
      database.url,
      String(ROWS),
    ])
    const { peakHeapBytes, ...done } = report.parse(JSON.parse(stdout))
    expect(done).toEqual({ state: 'done', added: ROWS, failed: 0 })
    expect(peakHeapBytes).toBeLessThan(HEAP_MB * 1024 * 1024)
    if (process.env.ISOTHERM_TEST_IMPORT_ROWS) console.info(stdout.trim())
  } finally {
    await database.drop()
  }
}, 600_000)
