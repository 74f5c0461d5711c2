import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { toHeapOptions } from './server-heap.ts'

const GB = 2 ** 30

test.each([
  ['a small machine keeps the limit of Node', 8 * GB, '', []],
  ['a large one gives half of its memory', 32 * GB, '', ['--max-old-space-size=16384']],
  ['a limit of the administrator is kept', 32 * GB, '--max-old-space-size=6000', []],
])('%s', (_, memory, nodeOptions, expected) => {
  expect(toHeapOptions(memory, nodeOptions)).toEqual(expected)
})

test('Node takes the option', async () => {
  const script = "console.log(require('node:v8').getHeapStatistics().heap_size_limit)"
  const { stdout } = await promisify(execFile)(process.execPath, [...toHeapOptions(16 * GB), '-e', script])
  expect(Number(stdout) / GB).toBeCloseTo(8, 0)
})
