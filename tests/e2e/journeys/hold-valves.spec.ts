import { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { getHolds, releaseHolds } from '@isotherm/contract/endpoints/control/valve-holds'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import { callDirectly, callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { tab } from '../support/shell.ts'
import { enter, expect, test } from '../support/test.ts'
import { openFirstBuilding } from '../support/tree.ts'

/** The twin's time runs faster than the clock; three strokes on one bus still take a while. */
const STROKES_MS = 90_000

const countIn = (page: Page, group: string) => page.getByTestId(`batch-group-${group}`).locator('strong')

/** Sets all chosen valves and holds them for an hour. */
async function orderHeld(page: Page, openingPct: number, reason: string): Promise<void> {
  await page.getByTestId('opening-input').fill(String(openingPct))
  await page.getByTestId('hold-choice').click()
  await page.getByTitle('1 小时', { exact: true }).click()
  await page.getByTestId('reason-input').fill(reason)
}

/** Waits until every command of the shown batch is confirmed. */
async function waitForEnd(page: Page, valves: number): Promise<void> {
  await expect(page.getByTestId('batch-settled')).toContainText('100%', { timeout: STROKES_MS })
  await expect(countIn(page, 'confirmed')).toHaveText(String(valves))
}

// A hold that a failed attempt leaves behind would refuse the orders of the next attempt.
test.afterEach(async () => {
  const { second } = await signInDirectly('administrator')
  const { datalist } = await callFor(getHolds, { limiter: { page: 1, size: 1_000 } }, second)
  const ids = datalist.map(({ id }) => id)
  if (ids.length > 0) await callFor(releaseHolds, { ids }, second)
})

test('a dispatcher orders a building, holds it, meets a higher priority and releases', async ({ page }) => {
  test.setTimeout(300_000)
  await enter(page, 'dispatcher', '/ewph/fmcontrol')

  const ids = await test.step('chooses all valves of a building', async () => {
    await openFirstBuilding(page)
    await page.getByTestId('add-all').click()
    await expect(page).toHaveURL(/devices=/)
    const text = new URL(page.url()).searchParams.get('devices') ?? ''
    expect(text.split(',')).toHaveLength(3)
    return text.split(',').map(Number)
  })
  const [first = 0] = ids

  await test.step('orders and holds them, and follows the batch to its end', async () => {
    await orderHeld(page, 45, 'browser test: hold')
    await expect(page.getByTestId('plan-count-change').or(page.getByTestId('plan-count-same'))).toBeVisible()
    await page.getByTestId('confirm-command').click()
    await waitForEnd(page, 3)
  })

  await test.step('finds the batch again after a reload, with who and why', async () => {
    await page.reload()
    await waitForEnd(page, 3)
    await expect(page.getByTestId('batch-progress')).toContainText('dispatcher')
    await expect(page.getByTestId('batch-progress')).toContainText('browser test: hold')
  })

  const { second } = await signInDirectly('administrator')
  const toOrder = (priority: 'schedule' | 'emergency') => ({
    targets: [{ deviceId: first, openingPct: 60 }],
    reason: 'browser test: frost',
    priority,
    holdUntil: Date.now() + HOUR_MS,
  })

  await test.step('orders of a lower priority are refused meanwhile', async () => {
    const { body } = await callDirectly(publishMqCtlCmd, toOrder('schedule'), second)
    expect(body).toMatchObject({ code: 'command.held' })
  })

  await test.step('is notified when an emergency outranks the hold, also on a page without valves', async () => {
    await tab(page, '/dashboard').getByRole('link').click()
    await expect(page.getByTestId('batch-progress')).toBeHidden()
    await callFor(publishMqCtlCmd, toOrder('emergency'), second)
    const notice = page.getByText('admin 的命令结束了您的 1 个保持')
    await expect(notice).toBeVisible()
    await expect(notice).toHaveCount(1)
    await tab(page, '/ewph/fmcontrol').getByRole('link').click()
  })

  await test.step('sees before sending which valve is held by a higher priority, and sends to the others', async () => {
    await page.getByRole('button', { name: '再次设定' }).click()
    await orderHeld(page, 50, 'browser test: the others')
    await expect(page.getByTestId('plan-count-held').locator('strong')).toHaveText('1')
    await expect(page.getByTestId(`plan-${first}`)).toContainText('admin 以紧急优先级保持至')
    await expect(page.getByTestId('order-ends')).toContainText('2')
    await page.getByTestId('confirm-command').click()
    await waitForEnd(page, 2)
  })

  await test.step('finds on a phone the orders and the holds as cards, none wider than the screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByTestId('batch-list').getByRole('listitem').first()).toContainText('dispatcher')
    await page.getByTestId('control-lists').getByText('命令记录').click()
    const command = page.getByTestId('command-log').getByRole('listitem').first()
    await command.getByRole('button', { name: '过程' }).click()
    await expect(command.getByTestId('command-state-confirmed')).toBeVisible()
    await page.getByTestId('control-lists').getByText('保持中').click()
    const card = page.getByTestId('hold-list').getByRole('listitem').first()
    await card.getByRole('checkbox').check()
    await expect(page.getByTestId('release-hold')).toBeEnabled()
    await card.getByRole('checkbox').uncheck()
    await expect(page.getByTestId('release-hold')).toBeDisabled()
    expect(await page.evaluate('document.querySelector("main").scrollWidth')).toBeLessThanOrEqual(390)
    expect(await findAccessibilityViolations(page, 'main')).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('releases the holds', async () => {
    await page.getByTestId('control-lists').getByText('保持中').click()
    const list = page.getByTestId('hold-list')
    await expect(list.locator('.ant-table-row')).toHaveCount(3)
    expect(await findAccessibilityViolations(page, 'main')).toEqual([])
    await list.locator('thead input[type="checkbox"]').check()
    await page.getByTestId('release-hold').click()
    await page.locator('.ant-popconfirm').getByRole('button', { name: '解除保持' }).click()
    await expect(page.getByText('所选范围内没有保持中的阀门')).toBeVisible()
  })
})
