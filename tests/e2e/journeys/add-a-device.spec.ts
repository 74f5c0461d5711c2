import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/test.ts'

test.use({ role: 'maintenance' })

/** Names that no other test and no earlier run uses. */
const unique = randomUUID().slice(0, 8)
const SERIAL = `C-${unique}`
const MODEL = `DC-${unique}`

test('a concentrator is added, its credentials are shown, and it is deleted again while it has not reported', async ({
  page,
}) => {
  await page.goto('/dev/datadevmanager')
  await page.getByTestId('record-add').click()
  await page.getByLabel('位置 *').click()
  await page.getByLabel('位置 *').fill('东苑小区')
  await page
    .locator('.ant-select-item-option', { hasText: /东苑小区$/ })
    .first()
    .click()
  await page.getByTestId('field-imei').fill(SERIAL)
  await page.getByTestId('field-name').fill('试装集中器')
  await page.getByTestId('field-modelId').click()
  await page.getByTestId('model-name').fill(MODEL)
  await page.getByTestId('model-add').click()
  await expect(page.getByTestId('field-modelId')).toContainText(MODEL)
  await page.getByTestId('form-save').click()
  await expect(page.getByText('试装集中器 已新增')).toBeVisible()

  await page.getByTestId('record-search').fill(SERIAL)
  await expect(page.getByTestId('record-total')).toHaveText('共 1 项')
  const row = page.getByTestId('record-table').getByTestId(/^record-\d+$/)
  await expect(page.getByTestId('record-table')).toContainText('从未上报')
  await row.click()
  await page.getByTestId('device-login').click()
  await page.getByTestId('login-show').click()
  await expect(page.getByTestId('gateway-login')).toContainText(`/${SERIAL}`)
  await page.locator('.ant-modal-footer').getByRole('button').click()

  await page.getByRole('link', { name: '调试' }).click()
  await expect(page).toHaveURL(/\/dev\/devdebug\?id=\d+$/)
  await expect(page.getByTestId('timeline')).toContainText('新增')

  await page.goto(`/dev/datadevmanager?q=${SERIAL}`)
  await page.getByTestId('record-table').getByRole('checkbox').last().click()
  await page.getByTestId('bulk-delete').click()
  await page.getByTestId('bulk-start').click()
  await expect(page.getByTestId('bulk-result')).toHaveText('已完成 1 / 1')
  await page.getByTestId('bulk-close').click()
  await expect(page.getByText('没有符合条件的记录')).toBeVisible()
})

test('a valve that reports is not deleted, and the reason is named', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/dev/fmdevmanager')
  await page.getByTestId('record-table').getByRole('checkbox').nth(1).click()
  await page.getByTestId('bulk-delete').click()
  await page.getByTestId('bulk-start').click()
  await expect(page.getByTestId('bulk-result')).toHaveText('已完成 0 / 1 · 失败 1 项')
  await expect(page.getByRole('dialog')).toContainText('正在被使用')
})
