import { setPumpHead } from '@isotherm/contract/endpoints/control/pumps'
import type { Locator, Page } from '@playwright/test'
import { callDirectly, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { enter, expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

/** A station whose head no other test depends on. */
const STATION = ['城东区域', '东苑换热站'] as const
/** The twin's time runs faster than the clock; a ramp and the reading behind it still take a while. */
const RAMP_MS = 90_000

async function openPump(page: Page): Promise<Locator> {
  await openTree(page)
  await expand(page, STATION[0])
  await row(page, STATION[1]).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '平衡此处' }).click()
  await expect(page).toHaveURL(/\/ewph\/eqmonitor/)
  await page.getByTestId('pump').click()
  return page.getByTestId('pump-panel')
}

test('a dispatcher sets the head of a station and sees it confirmed by what is measured', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await enter(page, 'dispatcher')
  const panel = await openPump(page)
  const head = panel.getByTestId('pump-head')
  await expect(head).toContainText('kPa')
  await expect(panel).toContainText('定速运行')
  const before = Number.parseFloat(await head.innerText())
  const set = async (kpa: number): Promise<void> => {
    await panel.getByLabel('设定压差').fill(String(kpa))
    await panel.getByLabel('原因').fill('browser test')
    await panel.getByTestId('pump-send').click()
    await expect(panel).toContainText(`→ ${kpa}.0 kPa`)
    await expect(panel).toContainText('已到位', { timeout: RAMP_MS })
    await expect
      .poll(async () => Math.abs(Number.parseFloat(await head.innerText()) - kpa), { timeout: RAMP_MS })
      .toBeLessThan(5)
  }
  await set(Math.round(0.85 * before))
  expect(await findAccessibilityViolations(page)).toEqual([])
  await set(Math.round(before))
})

test('a dispatcher holds a head against programs, and releases it', { tag: '@slow' }, async ({ page }) => {
  await enter(page, 'dispatcher')
  const panel = await openPump(page)
  const kpa = Math.round(Number.parseFloat(await panel.getByTestId('pump-head').innerText()))
  await panel.getByLabel('设定压差').fill(String(kpa))
  await panel.getByTestId('hold-choice').click()
  await page.locator('.ant-select-item-option[title="1 小时"]').click()
  await panel.getByLabel('原因').fill('browser test: hold')
  const answer = page.waitForResponse((response) => response.url().includes(setPumpHead.path))
  await panel.getByTestId('pump-send').click()
  const { deviceId } = JSON.parse((await answer).request().postData() ?? '')
  const held = panel.getByTestId('pump-hold')
  await expect(held).toContainText(`${kpa}.0 kPa，dispatcher 以手动优先级保持至`)
  await expect(held).toContainText('browser test: hold')
  expect(await findAccessibilityViolations(page)).toEqual([])

  const { second } = await signInDirectly('administrator')
  const { body } = await callDirectly(
    setPumpHead,
    { deviceId, headKpa: kpa, reason: 'browser test', priority: 'schedule' },
    second,
  )
  expect(body).toMatchObject({ code: 'command.held' })

  await held.getByTestId('release-hold').click()
  await page.locator('.ant-popconfirm').getByRole('button', { name: '解除保持' }).click()
  await expect(held).toBeHidden()
})

test('an administrator sets the limits of a pump, the least below the most', { tag: '@slow' }, async ({
  page,
}) => {
  await enter(page, 'administrator')
  const form = (await openPump(page)).getByTestId('pump-limits')
  const [least, most] = [form.getByLabel('最小压差'), form.getByLabel('最大压差')]
  const before = await most.inputValue()
  await most.fill(await least.inputValue())
  await expect(form).toContainText('最小压差须小于最大压差')
  await expect(form.getByTestId('pump-limits-save')).toBeDisabled()
  const set = async (kpa: string): Promise<void> => {
    await most.fill(kpa)
    await form.getByTestId('pump-limits-save').click()
    await expect(form).toContainText('限值已保存')
    await expect(page.getByTestId('pump-panel')).toContainText(`–${kpa}.0 kPa`)
  }
  await set('300')
  expect(await findAccessibilityViolations(page)).toEqual([])
  await set(before)
})
