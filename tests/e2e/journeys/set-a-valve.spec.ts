import { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import { callDirectly, callFor, signInDirectly } from '../support/api.ts'
import { enter, expect, test } from '../support/test.ts'
import { openFirstBuilding, valveRows } from '../support/tree.ts'

/** The twin's time runs faster than the clock; a valve's stroke and the heat behind it still take a while. */
const STROKE_MS = MINUTE_MS
const HEAT_MS = 150_000

/** Sets the valve in the open drawer and waits, without a reload, until its position is confirmed. */
async function setOpening(page: Page, deviceId: number, openingPct: number): Promise<void> {
  await page.getByTestId(`set-opening-${deviceId}`).click()
  await page.getByTestId('opening-input').fill(String(openingPct))
  await page.getByTestId('reason-input').fill(`browser test ${openingPct} %`)
  await expect(page.getByTestId(`plan-${deviceId}`)).toContainText(`${openingPct}`)
  await page.getByTestId('confirm-command').click()
  const command = page.getByTestId(`command-${deviceId}`)
  for (const state of ['queued', 'sent', 'accepted', 'done', 'confirmed']) {
    await expect(command.getByTestId(`command-state-${state}`)).toBeVisible({ timeout: STROKE_MS })
  }
  await expect(command).toHaveAttribute('data-state', 'confirmed')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('batch-progress')).toBeHidden()
}

interface Reading {
  readonly openingPct: number
  readonly returnTempC: number
  readonly flowM3h: number
}

/**
 * The newest complete row of the history table: opening, supply, return and flow, in the default order of the
 * columns.
 */
async function readNewest(page: Page): Promise<Reading | undefined> {
  const rows = page.locator('.ant-table-row')
  for (const row of await rows.all()) {
    const cells = await row.locator('.ant-table-cell').allInnerTexts()
    const [openingPct, , returnTempC, flowM3h] = cells.slice(2, 6).map((text) => Number.parseFloat(text))
    if ([openingPct, returnTempC, flowM3h].every(Number.isFinite)) {
      return { openingPct: openingPct ?? 0, returnTempC: returnTempC ?? 0, flowM3h: flowM3h ?? 0 }
    }
  }
  return undefined
}

async function getNewest(page: Page): Promise<Reading> {
  await expect.poll(() => readNewest(page), { message: 'a whole row in the history' }).toBeDefined()
  const reading = await readNewest(page)
  if (reading === undefined) throw new Error('The history has no whole row')
  return reading
}

test('a dispatcher sets a valve and sees its position confirmed and the heat follow', async ({ page }) => {
  test.setTimeout(420_000)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await enter(page, 'dispatcher', '/ewph/fmreal')

  const building = await test.step('opens a building in the tree', async () => {
    await expect(valveRows(page).nth(5)).toBeVisible()
    const label = await openFirstBuilding(page)
    await expect.poll(() => valveRows(page).count()).toBe(3)
    return label
  })

  const deviceId = await test.step('sees its valves change by themselves', async () => {
    const row = page.locator('tr[data-testid^="valve-row-"][data-trust="live"]').first()
    await expect(row, `a live valve in ${building}`).toBeVisible()
    const id = Number((await row.getAttribute('data-testid'))?.replace('valve-row-', ''))
    const flow = page.getByTestId(`valve-row-${id}`).locator('[data-column="flow"]')
    await expect(flow).toHaveText(/\d/)
    const before = await flow.innerText()
    await expect(flow).not.toHaveText(before, { timeout: 30_000 })
    return id
  })

  const loadsBefore = loads
  await test.step('sets it to 60 %', () => setOpening(page, deviceId, 60))

  const history = await page.context().newPage()
  await history.goto(`/ewph/fmhistory?devices=${deviceId}&range=15m&view=table`)
  const before = await test.step('sees 60 % in the history', async () => {
    await expect.poll(async () => Math.abs((await getNewest(history)).openingPct - 60)).toBeLessThanOrEqual(3)
    return getNewest(history)
  })

  await test.step('sets it to 20 %', async () => {
    await setOpening(page, deviceId, 20)
    await expect(page.getByTestId(`valve-opening-${deviceId}`)).toContainText(/1[789]|2[0123]/)
  })
  expect(loads, 'pages loaded while the commands ran').toBe(loadsBefore)

  await test.step('sees the flow fall and the return temperature follow', async () => {
    // The radiators may still be warming up from the opening of 60 %, so the fall is measured from their highest
    // temperature.
    let warmestC = before.returnTempC
    const observe = async (): Promise<Reading> => {
      const reading = await getNewest(history)
      warmestC = Math.max(warmestC, reading.returnTempC)
      return reading
    }
    await expect
      .poll(async () => (await observe()).flowM3h / before.flowM3h, { timeout: HEAT_MS })
      .toBeLessThan(0.85)
    await expect
      .poll(async () => warmestC - (await observe()).returnTempC, { timeout: HEAT_MS })
      .toBeGreaterThan(0.5)
    await history.goto(`/ewph/fmhistory?devices=${deviceId}&range=15m`)
    await expect(history.locator('main canvas').first()).toBeVisible()
    await expect(history.getByRole('main')).toContainText(/命令 [2-9] 条/)
  })

  await test.step('reads values where the pointer is, of the curves that are on', async () => {
    const chart = history.getByTestId('history-chart')
    const values = history.getByTestId('chart-values')
    await chart.hover({ position: { x: 500, y: 100 } })
    await expect(values).toContainText(/供水温度[\d.]+\s°C/)
    await history.getByRole('button', { name: '供水温度' }).click()
    await expect(values).toBeHidden()
    await chart.hover({ position: { x: 500, y: 100 } })
    await expect(values).toContainText('回水温度')
    await expect(values).not.toContainText('供水温度')
  })

  await test.step('sees the curves first on a phone, and unfolds the other settings', async () => {
    await history.setViewportSize({ width: 390, height: 844 })
    const season = history.getByTestId('season-range')
    await expect(season).toBeHidden()
    const chart = history.getByTestId('history-chart')
    await expect.poll(async () => (await chart.boundingBox())?.y).toBeLessThan(844 / 2)
    await history.getByTestId('history-tools').press('Enter')
    await expect(season).toBeVisible()
    await expect
      .poll(() => history.evaluate('document.querySelector("main").scrollWidth'))
      .toBeLessThanOrEqual(390)
  })
})

test.describe('a viewer', () => {
  test.use({ role: 'viewer' })

  test('sees the same page without control', async ({ page }) => {
    await page.goto('/ewph/fmreal')
    await expect(valveRows(page).nth(5)).toBeVisible()
    await expect(page.locator('[data-testid^="set-opening"]')).toHaveCount(0)
    await expect(valveRows(page).first().getByRole('checkbox')).toHaveCount(0)
  })

  test('is refused when it calls the command endpoint itself', async () => {
    const { second } = await signInDirectly('viewer')
    const devices = { nodes: [], kinds: ['valve'], limiter: { page: 1, size: 1 } }
    const [valve] = (await callFor(getDevsFromPrjTree, devices, second)).datalist
    if (valve === undefined) throw new Error('The viewer sees no valve')
    const order = { targets: [{ deviceId: valve.id, openingPct: 50 }], reason: 'not allowed' }
    const { body } = await callDirectly(publishMqCtlCmd, order, second)
    expect(body).toMatchObject({ status: '403', code: 'access.denied' })
    expect(body).not.toHaveProperty('data.batchId')
  })
})
