import type { ExportProgress } from '@isotherm/contract/export-progress'
import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import type { LabelledRuns } from './export-files.ts'
import { createExportTracker } from './export-progress.ts'
import { ROW_END } from './export-query.ts'

const log = createLog({ logLevel: 'silent' })
const run = { deviceId: 1, metricId: 12, count: 5, rows: Array(5).fill('2026-11-20,1,0').join(ROW_END) }

/** Pieces of ten rows, one every 100 ms of the test's clock, and one line of output for each. */
function begin({ pieces, failsNotifying = false }: { pieces: number; failsNotifying?: boolean }) {
  let now = 0
  const notified: ExportProgress[] = []
  async function* read(): AsyncGenerator<LabelledRuns> {
    for (let piece = 0; piece < pieces; piece += 1) {
      yield { labels: new Map(), runs: [run, run] }
      now += 100
    }
  }
  async function* toBytes(taken: AsyncIterable<LabelledRuns>): AsyncGenerator<Buffer> {
    for await (const { runs } of taken) yield Buffer.from(`${runs.length}\n`)
  }
  const tracker = createExportTracker({
    clock: { now: () => now },
    log,
    async notify({ accountId: _, ...progress }) {
      notified.push(progress)
      if (failsNotifying) throw new Error('the database is away')
    },
  })
  return { notified, bytes: tracker.track({ accountId: 1, progressId: 'x' }, read(), toBytes) }
}

async function readAll(bytes: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0
  for await (const _ of bytes) lines += 1
  return lines
}

test('an export notifies twice a second, and at its end with all its rows', async () => {
  const { notified, bytes } = begin({ pieces: 12 })
  expect(await readAll(bytes)).toBe(12)
  await expect
    .poll(() => notified)
    .toEqual([
      { progressId: 'x', rows: 60, state: 'running' },
      { progressId: 'x', rows: 110, state: 'running' },
      { progressId: 'x', rows: 120, state: 'done' },
    ])
})

test('an export that is cancelled notifies once as failed', async () => {
  const { notified, bytes } = begin({ pieces: 12 })
  for await (const _ of bytes) break
  await expect.poll(() => notified).toEqual([{ progressId: 'x', rows: 10, state: 'failed' }])
})

test('an export continues if notifications fail', async () => {
  const { notified, bytes } = begin({ pieces: 12, failsNotifying: true })
  expect(await readAll(bytes)).toBe(12)
  await expect.poll(() => notified.at(-1)?.state).toBe('done')
})
