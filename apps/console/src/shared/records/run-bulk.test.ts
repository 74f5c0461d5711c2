import { expect, test, vi } from 'vitest'
import { runBulk } from './run-bulk.ts'

const rows = Array.from({ length: 20 }, (_, index) => index)
const never = new AbortController().signal

test('every record is acted on once, and failures are listed with their records', async () => {
  const act = vi.fn(async (row: number) => {
    if (row % 7 === 0) throw new Error(`no ${row}`)
  })
  const progress: number[] = []
  const run = await runBulk(rows, act, ({ done }) => progress.push(done), never)
  expect(act.mock.calls.map(([row]) => row).sort((a, b) => a - b)).toEqual(rows)
  expect(run.done).toBe(20)
  expect(run.failed.map(({ row }) => row)).toEqual([0, 7, 14])
  expect(progress).toEqual(rows.map((row) => row + 1))
})

test('after a stop no further record is started', async () => {
  const stop = new AbortController()
  const act = vi.fn(async (row: number) => {
    if (row === 5) stop.abort()
  })
  const run = await runBulk(rows, act, () => undefined, stop.signal)
  expect(run.done).toBe(act.mock.calls.length)
  expect(run.done).toBeLessThan(12)
})
