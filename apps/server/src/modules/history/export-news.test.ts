import type { ExportProgress } from '@isotherm/contract/export-progress'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import type { LabelledRows } from './export-files.ts'
import { createExportNews } from './export-news.ts'

const log = createLog({ logLevel: 'silent' })
const row = { deviceId: 1, metricId: 12, time: '2026-11-20', numbers: ['1', '0'] }

/** Pieces of ten rows, one each 100 ms of the test's clock; a line of bytes for each. */
function begin({ pieces, failsTelling = false }: { pieces: number; failsTelling?: boolean }) {
  let now = 0
  const told: ExportProgress[] = []
  async function* read(): AsyncGenerator<LabelledRows> {
    for (let piece = 0; piece < pieces; piece += 1) {
      yield { labels: new Map(), rows: Array.from({ length: 10 }, () => row) }
      now += 100
    }
  }
  async function* toBytes(taken: AsyncIterable<LabelledRows>): AsyncGenerator<Buffer> {
    for await (const { rows } of taken) yield Buffer.from(`${rows.length}\n`)
  }
  const news = createExportNews({
    ...{ clock: { now: () => now }, log },
    async tell({ accountId: _, ...progress }) {
      told.push(progress)
      if (failsTelling) throw new Error('the database is away')
    },
  })
  return { told, bytes: news.follow({ accountId: 1, progressId: 'x' }, read(), toBytes) }
}

async function takeAll(bytes: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0
  for await (const _ of bytes) lines += 1
  return lines
}

test('an export is told of twice a second, and at its end with all its rows', async () => {
  const { told, bytes } = begin({ pieces: 12 })
  expect(await takeAll(bytes)).toBe(12)
  await expect
    .poll(() => told)
    .toEqual([
      { progressId: 'x', rows: 60, state: 'running' },
      { progressId: 'x', rows: 110, state: 'running' },
      { progressId: 'x', rows: 120, state: 'done' },
    ])
})

test('one that is given up is told as failed, once', async () => {
  const { told, bytes } = begin({ pieces: 12 })
  for await (const _ of bytes) break
  await expect.poll(() => told).toEqual([{ progressId: 'x', rows: 10, state: 'failed' }])
})

test('an export goes on when nobody can be told', async () => {
  const { told, bytes } = begin({ pieces: 12, failsTelling: true })
  expect(await takeAll(bytes)).toBe(12)
  await expect.poll(() => told.at(-1)?.state).toBe('done')
})
