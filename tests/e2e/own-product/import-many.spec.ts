import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page, Request } from '@playwright/test'
import { type Cell, toWorkbook } from '../../../apps/server/src/platform/spreadsheet/workbook-writer.ts'
import type { Product } from '../../../tools/product/start-product.ts'
import { createAdministrator } from '../support/create-administrator.ts'
import { readSheet } from '../support/read-sheet.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'

const ADMIN = { account: 'wang', password: 'a long enough password' } as const
/** Devices of the workbook; one of a hundred has a fault. */
const DEVICES = Number(process.env.ISOTHERM_TEST_IMPORT_ROWS ?? 100_000)
const BAD = DEVICES / 100
const PER_BUILDING = 500
const BUILDINGS = Math.ceil(DEVICES / PER_BUILDING)
/** Timeout of one pass over all rows, long enough for a busy machine. */
const PASS_MS = 15 * MINUTE_MS
/** Longest response time of a usable list. The time that the browser needs to render it does not count. */
const USABLE_MS = 5_000

const place = (index: number): readonly string[] => ['和园', '和园公司', '一号站', '东区', `${index + 1}号楼`]

function* listBuildings(): Generator<Cell[]> {
  yield ['项目', '公司', '换热站', '小区', '楼']
  for (let index = 0; index < BUILDINGS; index += 1) yield [...place(index)]
}

/** The faulty rows have an unknown place, no name, or a report period of 0, in turn. */
function* listDevices(): Generator<Cell[]> {
  yield ['编号', '类型', '名称', '型号', '位置', '上报周期(s)']
  for (let index = 0; index < DEVICES; index += 1) {
    const fault = index % 100 === 0 ? (index / 100) % 3 : undefined
    const at = place(fault === 0 ? BUILDINGS + 7 : Math.floor(index / PER_BUILDING)).join(',')
    yield [`R-${index}`, '室温采集器', fault === 1 ? '' : `室温${index}`, 'T1', at, fault === 2 ? 0 : 900]
  }
}

async function createWorkbook(path: string): Promise<void> {
  const pieces: Uint8Array[] = []
  const sheets = [
    { name: '结构', widths: [], rows: listBuildings() },
    { name: '设备', widths: [], rows: listDevices() },
  ]
  for await (const piece of toWorkbook(sheets)) pieces.push(piece)
  writeFileSync(path, Buffer.concat(pieces))
}

/** Process id of the server, a child of the launcher. */
function findServer(launcher: number): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(1) ?? []
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (Number(parent) === launcher && words.includes('apps/server/src/main.ts')) return Number(pid)
    } catch {
      // The process has ended meanwhile.
    }
  }
  throw new Error('no server is running')
}

let product: Product

test.skip(process.platform !== 'linux', 'finds the process of the server below /proc')
test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  product = await startOwnProduct({ command: 'serve' })
  await createAdministrator(product.dataDir, ADMIN.account, ADMIN.password)
})
test.afterAll(() => product?.stop())

/** Whether the request lists the devices that contain the text. */
const isSearch = (request: Request, text: string): boolean =>
  request.url().includes('GetThreeSelectNewRealDev') && (request.postData() ?? '').includes(text)

const stateOf = (page: Page, state: string) => page.locator(`[data-testid="transfer"][data-state="${state}"]`)

/** Numbers of the rows by verdict, as the page shows them. */
const readVerdicts = async (page: Page): Promise<Readonly<Record<string, number>>> => {
  const items = await page.getByTestId('transfer-verdicts').locator('li').all()
  const found = await Promise.all(
    items.map(async (item) => {
      const text = await item.locator('strong').textContent()
      return [(await item.getAttribute('data-verdict')) ?? '', Number(text?.replaceAll(',', ''))] as const
    }),
  )
  return Object.fromEntries(found)
}

/** Uploads the workbook and checks it. */
async function check(page: Page, path: string): Promise<void> {
  await page.getByTestId('transfer-open').click()
  await page.locator('[data-testid="transfer-file"] input, input[type="file"]').first().setInputFiles(path)
  await page.getByTestId('transfer-check').click({ timeout: PASS_MS })
  await expect(stateOf(page, 'checked')).toBeVisible({ timeout: PASS_MS })
}

test(`${DEVICES} devices with 1 % bad rows are imported from the page, although the server is killed meanwhile`, async ({
  page,
  context,
}, info) => {
  test.setTimeout(60 * MINUTE_MS)
  const workbook = info.outputPath('company.xlsx')
  await createWorkbook(workbook)

  await test.step('an administrator adds the company and opens the import', async () => {
    await page.goto(product.url)
    await fillLogin(page, ADMIN.account, ADMIN.password)
    await page.getByTestId('setup-open-company').click()
    await page.getByTestId('field-name').fill('和园供热公司')
    await page.getByTestId('field-tenant').fill('heyuan')
    await page.getByTestId('form-save').click()
    await expect(page.getByTestId('setup-company')).toHaveAttribute('data-done', 'true')
    await page.goto(`${product.url}/dev/rtcaldevmanager`)
  })

  await test.step('the check counts good and bad rows, and the bad rows come back with their reasons', async () => {
    await check(page, workbook)
    expect(await readVerdicts(page)).toEqual({
      added: DEVICES - BAD + BUILDINGS,
      changed: 0,
      unchanged: 0,
      failed: BAD,
    })
    const saving = page.waitForEvent('download')
    await page.getByTestId('transfer-failed').click()
    const saved = info.outputPath('failed.xlsx')
    await (await saving).saveAs(saved)
    const rows = (await readSheet(saved, '设备')).slice(1)
    expect(rows).toHaveLength(BAD)
    expect(rows.filter((cells) => [...cells.values()].some((text) => text === 'R-0'))).toHaveLength(1)
    // The reason is the last cell, behind the columns of the sheet.
    const reasons = new Set(rows.map((cells) => cells.get(Math.max(...cells.keys()))))
    expect(reasons.size).toBeGreaterThanOrEqual(3)
  })

  await test.step('meanwhile another tab lists and finds devices', async () => {
    await page.getByTestId('transfer-import').click()
    // The server checks all rows once more before it imports them.
    await expect(stateOf(page, 'importing')).toBeVisible({ timeout: PASS_MS })
    const other = await context.newPage()
    await other.goto(`${product.url}/dev/rtcaldevmanager`)
    await expect(other.getByTestId(/^record-\d+$/).first()).toBeVisible({ timeout: PASS_MS })
    for (const number of [12, 34, 56]) {
      const text = `R-${number}`
      const answered = other.waitForEvent('requestfinished', (request) => isSearch(request, text))
      await other.getByTestId('record-search').fill(text)
      const { requestStart, responseEnd } = (await answered).timing()
      expect(responseEnd - requestStart).toBeLessThan(USABLE_MS)
      await expect(other.getByText(`室温${number}`, { exact: true })).toBeVisible()
    }
    // The import is still running, so all of this happened during it.
    await expect(stateOf(page, 'importing')).toBeVisible()
    await other.close()
  })

  await test.step('kill -9 of the server: the next one stores the rest', async () => {
    await expect(stateOf(page, 'importing')).toBeVisible()
    process.kill(findServer(product.pid), 'SIGKILL')
    await expect(stateOf(page, 'done')).toBeVisible({ timeout: PASS_MS })
    expect(await readVerdicts(page)).toMatchObject({ added: DEVICES - BAD + BUILDINGS, failed: BAD })
    await page.reload()
    await expect(page.getByTestId('record-total')).toContainText(String(DEVICES - BAD))
  })

  await test.step('the same file again changes nothing', async () => {
    await check(page, workbook)
    expect(await readVerdicts(page)).toEqual({
      added: 0,
      changed: 0,
      unchanged: DEVICES - BAD + BUILDINGS,
      failed: BAD,
    })
    await expect(page.getByTestId('transfer-import')).toBeDisabled()
  })
})
