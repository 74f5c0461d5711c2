import { inflateRawSync } from 'node:zlib'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestRollups, ZONE } from '../rollups/rollups.testkit.ts'
import { type Label, type LabelledRuns, toCsv, toSheets } from './export-files.ts'
import { type ExportQuery, ROW_END } from './export-query.ts'
import { countExportRows, readExportRows } from './export-rows.ch.ts'

const ROOM = 12
const DAY = Date.UTC(2026, 10, 19, 16)

let store: Awaited<ReturnType<typeof createTestRollups>>

beforeAll(async () => {
  store = await createTestRollups()
  await store.insert([
    [1, ROOM, DAY, 20.5],
    [1, ROOM, DAY + 900_000, 21, 4],
    [2, ROOM, DAY + HOUR_MS, 99, 8],
    [3, ROOM, DAY, 1],
    [1, ROOM + 1, DAY + 60_000, 7],
    [1, ROOM + 1, DAY + HOUR_MS, 8],
  ])
  // A reading that is stored twice is one row.
  await store.insert([[1, ROOM, DAY, 20.5]])
  await store.rollups().pass()
})
afterAll(() => store.close())

const labels = new Map<number, Label>([
  [1, ['R1', '=HYPERLINK("x")', '集团,东区']],
  [2, ['R2', 'two', '西区']],
])
const query: ExportQuery = {
  deviceIds: [1, 2],
  metricIds: [ROOM],
  level: 'raw',
  from: DAY,
  to: DAY + 2 * HOUR_MS,
}

async function* readLabelled(of: ExportQuery): AsyncGenerator<LabelledRuns> {
  for await (const runs of readExportRows(store.client, ZONE, of)) yield { labels, runs }
}

async function collect(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('readings are rows in the time of the plant, each once, and no text is a formula', async () => {
  expect((await collect(toCsv('en', 'raw', readLabelled(query)))).toString('utf8').split('\r\n')).toEqual([
    '\ufeffSerial,Name,Place,Metric,Unit,Time,Value,Quality',
    `R1,"'=HYPERLINK(""x"")","集团,东区",temp.room,°C,2026-11-20 00:00:00,20.5,0`,
    `R1,"'=HYPERLINK(""x"")","集团,东区",temp.room,°C,2026-11-20 00:15:00,21,4`,
    'R2,two,西区,temp.room,°C,2026-11-20 01:00:00,99,8',
    '',
  ])
})

test('hours and days are rows too, without values if all readings are doubtful', async () => {
  const lines = async (level: 'hour' | 'day') =>
    (await collect(toCsv('en', level, readLabelled({ ...query, level }))))
      .toString('utf8')
      .split('\r\n')
      .slice(1, -1)
  const start = `R1,"'=HYPERLINK(""x"")","集团,东区",temp.room,°C`
  expect(await lines('hour')).toEqual([
    `${start},2026-11-20 00:00:00,2,1,20.5,20.5,20.5,20.5,20.5`,
    'R2,two,西区,temp.room,°C,2026-11-20 01:00:00,1,0,,,,,',
  ])
  expect(await lines('day')).toEqual([
    `${start},2026-11-20,2,1,20.5,20.5,20.5,20.5,20.5`,
    'R2,two,西区,temp.room,°C,2026-11-20,1,0,,,,,',
  ])
})

test('the count is known before the export, and is at least the number of rows', async () => {
  let rows = 0
  for await (const runs of readExportRows(store.client, ZONE, query))
    for (const { count } of runs) rows += count
  expect(rows).toBe(3)
  const count = await countExportRows(store.client, ZONE, query)
  expect(count).toBeGreaterThanOrEqual(3)
  expect(count).toBeLessThanOrEqual(4)
  expect(await countExportRows(store.client, ZONE, { ...query, level: 'day' })).toBe(2)
})

test.each([1, 2, 3, 100])('an export is the same in pages of %i rows', async (page) => {
  for (const level of ['raw', 'hour', 'day'] as const) {
    const ofAll = { ...query, metricIds: [ROOM, ROOM + 1], deviceIds: [1, 2, 3], level }
    const read = async (pageRows?: number) => {
      const rows: string[] = []
      for await (const runs of readExportRows(store.client, ZONE, ofAll, pageRows))
        for (const run of runs)
          for (const row of run.rows.split(ROW_END)) rows.push(`${run.deviceId} ${run.metricId} ${row}`)
      return rows
    }
    const whole = await read()
    expect(whole).toHaveLength({ raw: 6, hour: 5, day: 4 }[level])
    expect(await read(page)).toEqual(whole)
  }
})

/** Content of the files of an archive whose names contain a word, in order. */
function readArchive(archive: Buffer, word: string): string[] {
  const texts: string[] = []
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const from = archive.readUInt32LE(at + 42) + 30 + nameLength
    if (name.includes(word))
      texts.push(inflateRawSync(archive.subarray(from, from + packed)).toString('utf8'))
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return texts
}

test('a workbook continues in another sheet when one is full', async () => {
  const sheets = readArchive(await collect(toSheets('zh', 'raw', 3, readLabelled(query), 2)), 'worksheets/')
  expect(sheets).toHaveLength(2)
  expect(sheets.map((sheet) => sheet.match(/<row /g)?.length)).toEqual([3, 2])
  expect(sheets[0]).toContain('编号')
  expect(sheets[1]).toContain('<v>99</v>')
})

test('cancelling an export ends its query', async () => {
  let begun = false
  let ended = false
  async function* endless(): AsyncGenerator<LabelledRuns> {
    begun = true
    try {
      for (;;) yield { labels, runs: [{ deviceId: 1, metricId: ROOM, count: 1, rows: '2026-11-20,1,0' }] }
    } finally {
      ended = true
    }
  }
  const bytes = toSheets('en', 'raw', 1_000_000, endless())
  while (!begun) await bytes.next()
  for (let turn = 0; turn < 3; turn += 1) await bytes.next()
  await bytes.return(undefined)
  expect(ended).toBe(true)
})
