import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { metrics } from '@isotherm/contract/metrics'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { Browser, Page } from '@playwright/test'
import { z } from 'zod'
import { openArchive } from '../../apps/server/src/platform/spreadsheet/zip-reader.ts'
import { selectRows } from '../history/select.ts'
import { createServerCalls } from '../registry/server-calls.ts'
import { countFrames, type Frames } from './frames.ts'
import type { LargeCompany } from './large-company.ts'
import { signIn } from './sign-in.ts'

export interface ExportTimes {
  readonly rows: number
  readonly seconds: number
  readonly mb: number
  /** Frames of the page meanwhile: the fewest per second of some seconds, and the longest of all. */
  readonly frames: Frames
  /** Answers to another user meanwhile, ms. */
  readonly answersMs: readonly number[]
}

/** Days of the export: 1,000,000 rows of 100,000 rooms. */
const DAYS = 10
const TIMEOUT_MS = 900_000
const COUNTED_MS = 2_000
const SHEET = 'xl/worksheets/sheet1.xml'
const MAX_SHEET_BYTES = 4 * 1024 ** 3
/** Local time of the plant minus UTC, ms: the server of a bench has the default zone. */
const ZONE_MS = 8 * HOUR_MS
/** Columns of an export by day: the mean. */
const MEAN_COLUMN = 'I'
const CELL = new RegExp(`<c r="${MEAN_COLUMN}(\\d+)"[^>]*><v>([^<]+)</v>`)

interface SheetSums {
  readonly rows: number
  readonly meanSum: number
}

/** Reads a sheet to its end. Throws if its rows are not numbered one after the other. */
async function sumSheet(path: string): Promise<SheetSums> {
  const file = await open(path)
  try {
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.subarray(0, bytesRead)
    }
    const archive = await openArchive({ size: (await file.stat()).size, read }, MAX_SHEET_BYTES)
    const decoder = new TextDecoder()
    let [rest, number, rows, meanSum] = ['', 0, 0, 0]
    for await (const bytes of archive.open(SHEET)) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('</row>')
      rest = parts.pop() ?? ''
      for (const row of parts) {
        number += 1
        if (!row.includes(`<row r="${number}">`)) throw new Error(`row ${number} is missing`)
        // The first row holds the headings.
        if (number === 1) continue
        const [, at, mean] = CELL.exec(row) ?? []
        if (at !== String(number)) throw new Error(`row ${number} has no mean`)
        rows += 1
        meanSum += Number(mean)
      }
    }
    if (!rest.endsWith('</worksheet>')) throw new Error('the sheet has no end')
    return { rows, meanSum }
  } finally {
    await file.close()
  }
}

/** Opens the dialog and starts an export of all rooms by day as a workbook. */
async function startExport(page: Page): Promise<void> {
  await page.getByTestId('export-history').click()
  const choices = page.getByRole('dialog').locator('.ant-segmented')
  // All of the selection instead of the shown device; days instead of hours.
  await choices.nth(0).locator('.ant-segmented-item').last().click()
  await choices.nth(1).locator('.ant-segmented-item').last().click()
  const start = page.getByTestId('export-start')
  await start.and(page.locator(':enabled')).waitFor({ timeout: TIMEOUT_MS })
  await start.click()
}

/** Counts frames until `isOver`. */
async function countWorstFrames(page: Page, isOver: () => boolean): Promise<Frames> {
  let worst: Frames = { fps: Number.POSITIVE_INFINITY, worstMs: 0 }
  while (!isOver()) {
    const { fps, worstMs } = await countFrames(page, COUNTED_MS)
    worst = { fps: Math.min(worst.fps, fps), worstMs: Math.max(worst.worstMs, worstMs) }
  }
  return worst
}

/** Throws if the workbook does not have the daily means of all rooms. Returns the number of its rows. */
async function checkSheet(path: string, { clickhouse }: LargeCompany): Promise<number> {
  const found = await sumSheet(path)
  const [[rows, meanSum] = [0, 0]] = await selectRows(
    clickhouse,
    z.tuple([z.coerce.number(), z.coerce.number()]),
    `SELECT count(), sum(round(sum_value / good, 4)) FROM readings_day FINAL
      WHERE metric = ${metrics['temp.room'].id} AND day >= today() - ${DAYS} AND day < today()`,
  )
  if (found.rows !== rows || Math.abs(found.meanSum - meanSum) > 1e-6 * meanSum)
    throw new Error(
      `${rows} rows with a sum of ${meanSum} are stored, ${found.rows} with ${found.meanSum} came`,
    )
  return rows
}

/** Exports daily means of all rooms in the browser, checks the workbook and watches the page meanwhile. */
export async function measureExport(browser: Browser, company: LargeCompany): Promise<ExportTimes> {
  const { url, port, account, password, folder } = company
  const path = join(folder, 'rooms.xlsx')
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS - ZONE_MS
  const range = `${to - DAYS * DAY_MS}-${to}`
  const calls = createServerCalls(port)
  const session = await calls.logIn(account, password)
  const ask = () => session.call(getRooms, { limiter: { page: 1, size: 50 } })
  const { data } = await ask()
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(`/rtjc/rthistory?devices=${data.datalist[0]?.device.id}&metrics=temp.room&range=${range}`)
    await signIn(page, account, password)
    await page.getByTestId('export-history').waitFor()
    let isOver = false
    const coming = page.waitForEvent('download', { timeout: TIMEOUT_MS })
    await startExport(page)
    const started = performance.now()
    const saved = coming.then(async (download) => {
      const seconds = (performance.now() - started) / 1_000
      await download.saveAs(path)
      return seconds
    })
    const ended = saved.finally(() => {
      isOver = true
    })
    async function askOn(): Promise<readonly number[]> {
      const times: number[] = []
      while (!isOver) times.push((await ask()).ms)
      return times
    }
    const [seconds, frames, answersMs] = await Promise.all([
      ended,
      countWorstFrames(page, () => isOver),
      askOn(),
    ])
    const { size } = await stat(path)
    return { rows: await checkSheet(path, company), seconds, mb: size / 1e6, frames, answersMs }
  } finally {
    await context.close()
    calls.close()
    await rm(path, { force: true })
  }
}
