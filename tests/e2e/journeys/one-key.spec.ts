import { getBalance, getCampaign } from '@isotherm/contract/endpoints/control/balancing'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Locator, Page } from '@playwright/test'
import { callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { enter, expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

/** One residential area of a station that no other test moves valves of. */
const STATION = ['城西区域', '翠湖换热站'] as const
const AREA = '翠湖家园'
/** The twin's time runs faster than the clock; strokes on one bus and the heat behind them still take a while. */
const WAVES_MS = 90_000
const SETTLE_MS = 180_000
/** Time until a product that was just started has measured enough of a loop. */
const MEASURED_MS = 3 * MINUTE_MS
/** A valve comes to rest within this of its order, %. */
const NEAR_PCT = 3

const numberIn = async (cell: Locator): Promise<number> => Number.parseFloat(await cell.innerText())
const sigma = (page: Page, column: 'before' | 'expected' | 'after') =>
  page.getByTestId('figure-sigmaReturnK').locator(`[data-column="${column}"]`)

/** Clicks the button of an action and confirms it in the dialog. */
async function agree(page: Page, act: 'approve' | 'discard' | 'rollback', words: RegExp): Promise<void> {
  await page.getByTestId(`campaign-${act}`).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('campaign-means')).toContainText(words)
  await dialog.locator('.ant-modal-footer .ant-btn').last().click()
  await expect(dialog).toBeHidden()
}

/**
 * Makes a plan by one click; repeats it while the product refuses, because a demo that has just started has too few
 * readings.
 */
async function makeDraft(page: Page): Promise<void> {
  await page.getByTestId('one-key').click()
  await expect(async () => {
    await page.getByTestId('start-submit').click({ timeout: 1_000 })
    await expect(page.getByTestId('campaign-state-draft')).toBeVisible()
  }).toPass({ timeout: MEASURED_MS })
}

/** The campaign that the page shows. */
const readCampaign = (page: Page, token: string) =>
  callFor(getCampaign, { id: Number(new URL(page.url()).searchParams.get('campaign')) }, token)

test('a dispatcher balances an area with one key, sees it verified and rolls it back', {
  tag: '@slow',
}, async ({ page }) => {
  test.setTimeout(MEASURED_MS + 4 * WAVES_MS + SETTLE_MS + 2 * MINUTE_MS)
  const { second } = await signInDirectly('dispatcher')
  await enter(page, 'dispatcher')

  await test.step('opens the balance of the area from the tree', async () => {
    await openTree(page)
    await expand(page, ...STATION)
    await row(page, AREA).click({ button: 'right' })
    await page.getByRole('menuitem', { name: '平衡此处' }).click()
    await expect(page).toHaveURL(/\/ewph\/eqmonitor/)
    await expect(page.getByTestId('loop-name')).toContainText(AREA)
  })

  const plan =
    await test.step('plans, which moves nothing, and expects the returns nearer together', async () => {
      await makeDraft(page)
      expect(await numberIn(sigma(page, 'expected'))).toBeLessThan(
        0.7 * (await numberIn(sigma(page, 'before'))),
      )
      const moves = Number.parseInt(await page.getByTestId('members-moves').locator('strong').innerText(), 10)
      expect(moves).toBeGreaterThan(3)
      await expect(
        page.getByTestId('campaign-members').locator('[data-testid^="member-"]').first(),
      ).toBeVisible()
      expect(await findAccessibilityViolations(page)).toEqual([])
      return readCampaign(page, second)
    })

  await test.step('approves it and watches the waves and the time to settle', async () => {
    await agree(page, 'approve', /\d+ 批/)
    await expect(page.getByTestId('campaign-state-executing')).toBeVisible()
    await expect(page.getByTestId('wave-1')).toHaveAttribute('data-state', 'done', { timeout: WAVES_MS })
    await expect(page.getByTestId('campaign-settling')).toBeVisible({ timeout: WAVES_MS })
  })

  await test.step('sees it verified, with the returns measured nearer together', async () => {
    await expect(page.getByTestId('campaign-state-verified')).toBeVisible({ timeout: SETTLE_MS })
    expect(await numberIn(sigma(page, 'after'))).toBeLessThan(0.7 * (await numberIn(sigma(page, 'before'))))
  })

  await test.step('rolls it back: the openings are the earlier ones', async () => {
    await agree(page, 'rollback', /恢复/)
    await expect(page.getByTestId('campaign-state-rolled-back')).toHaveText('已恢复原开度', {
      timeout: WAVES_MS,
    })
    await expect(async () => {
      const { valves } = await callFor(getBalance, { node: plan.node }, second)
      const openings = new Map(valves.map(({ deviceId, openingPct }) => [deviceId, openingPct]))
      for (const { deviceId, before } of plan.members)
        expect(Math.abs((openings.get(deviceId) ?? Number.NaN) - before.openingPct)).toBeLessThanOrEqual(
          NEAR_PCT,
        )
    }).toPass({ timeout: WAVES_MS })
  })
})

/** A station where no test moves valves, including this one. */
const CALM_STATION = '文化路换热站'
const openCalm = (page: Page) =>
  page.getByTestId('stations').getByRole('link', { name: CALM_STATION }).click()

test('a dispatcher discards a plan: no valve gets a command, and the list names the end', async ({
  page,
}) => {
  test.setTimeout(MEASURED_MS + 2 * MINUTE_MS)
  const { second } = await signInDirectly('dispatcher')
  const from = Date.now()
  await enter(page, 'dispatcher', '/ewph/eqmonitor')
  await openCalm(page)
  await makeDraft(page)
  const { id, members } = await readCampaign(page, second)
  await agree(page, 'discard', /不会调节任何阀门/)
  await expect(page.getByTestId('campaign-state-discarded')).toHaveText('已放弃')
  await expect(page.getByTestId('campaign-approve')).toHaveCount(0)
  await page.getByTestId('campaign-back').click()
  await expect(page.getByTestId(`campaign-${id}`)).toContainText('已放弃')
  const deviceIds = members.map(({ deviceId }) => deviceId)
  expect(deviceIds.length).toBeGreaterThan(10)
  const log = await callFor(getCtlLog, { deviceIds, from, limiter: { page: 1, size: 1 } }, second)
  expect(log.total).toBe(0)
})

test('a viewer reads the indices of a station, and finds nothing to start or set', async ({ page }) => {
  test.setTimeout(MEASURED_MS + 2 * MINUTE_MS)
  await enter(page, 'viewer', '/ewph/eqmonitor')
  await openCalm(page)
  await expect(page.getByTestId('index-sigmaReturnK')).toContainText(/\d\s*K/, { timeout: MEASURED_MS })
  await page.getByTestId('all-indices').click()
  await expect(page.getByRole('dialog')).toContainText('热指标')
  await page.keyboard.press('Escape')
  await page.getByTestId('pump').click()
  await expect(page.getByTestId('pump-head')).toContainText('kPa')
  for (const control of ['one-key', 'strategy-add', 'pipe-add', 'pump-send', 'pump-limits-save'])
    await expect(page.getByTestId(control), control).toHaveCount(0)
})
