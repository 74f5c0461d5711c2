import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { toAccount } from '../support/accounts.ts'
import { actOnOnly, listTexts } from '../support/records.ts'
import { enter, expect, test } from '../support/test.ts'
import { expectAccessible, views } from '../support/views.ts'

const texts = {
  zh: {
    ...listTexts.zh,
    place: '位置 *',
    added: (name: string) => `${name} 已新增`,
    saved: (name: string) => `${name} 已保存`,
    silent: '从未上报',
    change: '新增',
    failed: '已完成 0 / 1 · 失败 1 项',
    inUse: '正在被使用',
  },
  en: {
    ...listTexts.en,
    place: 'Place *',
    added: (name: string) => `${name} added`,
    saved: (name: string) => `${name} saved`,
    silent: 'Never reported',
    change: 'added it',
    failed: '0 of 1 done · 1 failed',
    inUse: 'still in use',
  },
} as const

/** Opens the drawer of the only listed device. */
const openOnly = (page: Page) =>
  page
    .getByTestId(/^record-\d+$/)
    .filter({ visible: true })
    .click()

/** Shows the credentials of a gateway, and closes their dialog. */
async function showLogin(page: Page, serial: string): Promise<void> {
  await page.getByTestId('device-login').click()
  await page.getByTestId('login-show').click()
  await expect(page.getByTestId('gateway-login')).toContainText(`/${serial}`)
  await page.locator('.ant-modal-footer').getByRole('button').click()
}

/**
 * The four lists of devices, and who adds one there. Names and serials are completed by what no other test and no earlier
 * run uses.
 */
const lists = [
  { kind: 'concentrator', role: 'maintenance', path: '/dev/datadevmanager', name: '试装集中器', serial: 'C' },
  { kind: 'heat-meter', role: 'administrator', path: '/dev/caldevmanager', name: '试装热量表', serial: 'M' },
  { kind: 'room-sensor', role: 'administrator', path: '/dev/rtcaldevmanager', name: '试装室温', serial: 'R' },
  { kind: 'valve', role: 'administrator', path: '/dev/fmdevmanager', name: '试装阀门', serial: 'V' },
] as const

for (const view of views) {
  const { screen, language, locale, viewport, hasTouch } = view
  const text = texts[language]

  test.describe(`${screen}, ${language}`, () => {
    test.use({ locale, viewport, hasTouch })

    for (const list of lists) {
      // The other lists have the same parts. Edits and their history are proved by the slow journeys.
      const isSlow = view !== views[0] || list !== lists[0]
      test(`${list.role} adds a ${list.kind}${isSlow ? ', edits it,' : ''} and deletes it while it has not reported`, {
        tag: isSlow ? '@slow' : [],
      }, async ({ page }) => {
        const unique = randomUUID().slice(0, 8)
        const [name, serial, model] = [`${list.name} ${unique}`, `${list.serial}-${unique}`, `DC-${unique}`]
        const remark = `${screen} ${unique}`
        await enter(page, list.role, list.path)
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
        await openOnly(page)
        if (list.kind === 'concentrator') await showLogin(page, serial)
        if (isSlow) {
          await page.getByTestId('field-description').fill(remark)
          await expectAccessible(page, view)
          await page.getByTestId('form-save').click()
          await expect(page.getByText(text.saved(name))).toBeVisible()
          await openOnly(page)
          await expect(page.getByTestId('field-description')).toHaveValue(remark)
          await expect(page.getByTestId('change-history')).toContainText(remark)
          await expect(page.getByTestId('change-history')).toContainText(toAccount(list.role))
        }

        if (list.kind === 'concentrator' || list.kind === 'valve') {
          await page.getByRole('dialog').locator('a[href^="/dev/devdebug?id="]').click()
          await expect(page).toHaveURL(/\/dev\/devdebug\?id=\d+$/)
          await expect(page.getByTestId('timeline')).toContainText(text.change)
        }
        await page.goto(`${list.path}?q=${serial}`)
        await actOnOnly(page, text, 'delete')
        await expect(page.getByTestId('record-total')).toHaveText(text.total('0'))
      })
    }

    if (view.isChecked)
      test('a valve that reports is not deleted, and the reason is named', { tag: '@slow' }, async ({
        page,
      }) => {
        await enter(page, 'administrator', '/dev/fmdevmanager')
        await page
          .getByRole('checkbox')
          .nth(screen === 'phone' ? 0 : 1)
          .click()
        await page.getByTestId('bulk-delete').click()
        await page.getByTestId('bulk-start').click()
        await expect(page.getByTestId('bulk-result')).toHaveText(text.failed)
        await expect(page.getByRole('dialog')).toContainText(text.inUse)
      })
  })
}
