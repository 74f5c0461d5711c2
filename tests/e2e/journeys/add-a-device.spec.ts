import { randomUUID } from 'node:crypto'
import { actOnOnly, listTexts } from '../support/records.ts'
import { expect, test } from '../support/test.ts'

const texts = {
  zh: {
    ...listTexts.zh,
    place: '位置 *',
    added: (name: string) => `${name} 已新增`,
    silent: '从未上报',
    change: '新增',
    failed: '已完成 0 / 1 · 失败 1 项',
    inUse: '正在被使用',
  },
  en: {
    ...listTexts.en,
    place: 'Place *',
    added: (name: string) => `${name} added`,
    silent: 'Never reported',
    change: 'added it',
    failed: '0 of 1 done · 1 failed',
    inUse: 'still in use',
  },
} as const

for (const { screen, language, ...view } of [
  { screen: 'desktop', language: 'zh', locale: 'zh-CN', viewport: { width: 1440, height: 900 } },
  { screen: 'phone', language: 'en', locale: 'en-GB', viewport: { width: 390, height: 844 } },
] as const) {
  const text = texts[language]
  const isPhone = screen === 'phone'
  /** Names that no other test and no earlier run uses. */
  const unique = randomUUID().slice(0, 8)
  const serial = `C-${unique}`
  const model = `DC-${unique}`
  const name = `试装集中器 ${unique}`

  test.describe(`${screen}, ${language}`, { tag: isPhone ? '@slow' : [] }, () => {
    test.use({ role: 'maintenance', ...view, hasTouch: isPhone })

    test('a concentrator is added, its credentials are shown, and it is deleted again while it has not reported', async ({
      page,
    }) => {
      await page.goto('/dev/datadevmanager')
      await page.getByTestId('record-add').click()
      await page.getByLabel(text.place).click()
      await page.getByLabel(text.place).fill('东苑小区')
      await page
        .locator('.ant-select-item-option', { hasText: /东苑小区$/ })
        .first()
        .click()
      await page.getByTestId('field-imei').fill(serial)
      await page.getByTestId('field-name').fill(name)
      await page.getByTestId('field-modelId').click()
      await page.getByTestId('model-name').fill(model)
      await page.getByTestId('model-add').click()
      await expect(page.getByTestId('field-modelId')).toContainText(model)
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.added(name))).toBeVisible()

      await page.getByTestId('record-search').fill(serial)
      await expect(page.getByTestId('record-total')).toHaveText(text.total('1'))
      await expect(page.getByRole('main')).toContainText(text.silent)
      await page
        .getByTestId(/^record-\d+$/)
        .filter({ visible: true })
        .click()
      await page.getByTestId('device-login').click()
      await page.getByTestId('login-show').click()
      await expect(page.getByTestId('gateway-login')).toContainText(`/${serial}`)
      await page.locator('.ant-modal-footer').getByRole('button').click()

      await page.getByRole('dialog').locator('a[href^="/dev/devdebug?id="]').click()
      await expect(page).toHaveURL(/\/dev\/devdebug\?id=\d+$/)
      await expect(page.getByTestId('timeline')).toContainText(text.change)

      await page.goto(`/dev/datadevmanager?q=${serial}`)
      await actOnOnly(page, text, 'delete')
      await expect(page.getByTestId('record-total')).toHaveText(text.total('0'))
    })

    test('a valve that reports is not deleted, and the reason is named', { tag: '@slow' }, async ({
      page,
    }) => {
      await page.goto('/dev/fmdevmanager')
      await page
        .getByRole('checkbox')
        .nth(isPhone ? 0 : 1)
        .click()
      await page.getByTestId('bulk-delete').click()
      await page.getByTestId('bulk-start').click()
      await expect(page.getByTestId('bulk-result')).toHaveText(text.failed)
      await expect(page.getByRole('dialog')).toContainText(text.inUse)
    })
  })
}
