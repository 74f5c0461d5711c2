import type { Page } from '@playwright/test'
import { findAccessibilityViolations } from '../support/axe.ts'
import { option } from '../support/option.ts'
import { tab } from '../support/shell.ts'
import { enter, expect, test } from '../support/test.ts'

const record = (page: Page, name: string) =>
  page.locator('button[data-testid^="record-"]').filter({ hasText: name }).filter({ visible: true }).first()

/** Confirms an action on the selected records, and closes its result. */
async function confirmBulk(page: Page, action: string): Promise<void> {
  await page.getByTestId(`bulk-${action}`).click()
  await page.getByTestId('bulk-start').click()
  await expect(page.getByTestId('bulk-result')).toHaveText('已完成 1 / 1')
  await page.getByTestId('bulk-close').click()
}

async function renameModule(page: Page, from: string, to: string): Promise<void> {
  await page.goto(`/sys/modelsys?q=${encodeURIComponent(from)}`)
  await record(page, from).click()
  await page.getByTestId('field-name').fill(to)
  await page.getByTestId('form-save').click()
  await expect(page.getByText(`模块“${to}”已保存`)).toBeVisible()
}

for (const [screen, viewport] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const) {
  test.describe(screen, { tag: '@slow' }, () => {
    test.use({ viewport, hasTouch: screen === 'phone' })

    test('a renamed module renames its page everywhere, and the log has the names before and after', async ({
      page,
    }) => {
      await enter(page, 'administrator', '/sys/modelsys')
      await expect(page.getByTestId('record-total')).toHaveText(/共 \d+ 项/)
      expect(await findAccessibilityViolations(page)).toEqual([])
      await renameModule(page, '角色代码管理', '角色编码表')
      await page.goto('/sys/rolecodesys')
      await expect(tab(page, '/sys/rolecodesys')).toContainText('角色编码表')
      await expect(page.getByRole('navigation', { name: '当前位置' })).toContainText('角色编码表')
      await renameModule(page, '角色编码表', '角色代码管理')
      await page.goto('/sys/logsys?endpoint=editModules')
      await record(page, ':').click()
      await expect(page.getByTestId('log-changes').locator('del')).toHaveText('角色编码表')
      await expect(page.getByTestId('log-changes').locator('ins')).toHaveText('角色代码管理')
      expect(await findAccessibilityViolations(page)).toEqual([])
    })

    test('an organisation is added and deleted', async ({ page }) => {
      const name = `客服部-${screen}-${Date.now()}`
      await enter(page, 'administrator', '/sys/organsys')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-name').fill(name)
      expect(await findAccessibilityViolations(page)).toEqual([])
      await page.getByTestId('form-save').click()
      await expect(page.getByText(`机构“${name}”已保存`)).toBeVisible()
      await page.getByTestId('record-search').fill(name)
      await expect(page.getByTestId('record-total')).toHaveText('共 1 项')
      await page.getByRole('checkbox').last().click()
      await confirmBulk(page, 'delete')
      await expect(record(page, name)).toHaveCount(0)
    })

    test('a call is disabled and enabled again', async ({ page }) => {
      await enter(page, 'administrator', '/sys/interfacesys')
      await expect(page.getByTestId('record-total')).toHaveText(/共 \d+ 项/)
      expect(await findAccessibilityViolations(page)).toEqual([])
      const select = async () => {
        await page.goto('/sys/interfacesys?q=GetLikeSubUser&pick=getLikeSubUser')
        await expect(record(page, '按名称查找子用户')).toBeVisible()
      }
      await select()
      await confirmBulk(page, 'disable')
      await expect(page.getByText('停用', { exact: true }).filter({ visible: true })).toHaveCount(1)
      await select()
      await confirmBulk(page, 'enable')
      await expect(page.getByText('启用', { exact: true }).filter({ visible: true })).toHaveCount(1)
    })

    test('a program uses a key on both backends until it is deleted', async ({ page, request }) => {
      const name = `气象平台-${screen}-${Date.now()}`
      await enter(page, 'administrator', '/sys/interfacesys?view=keys')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-name').fill(name)
      await page.getByTestId('field-permissions').click()
      await option(page, 'pe-fmreal').click()
      await page.getByTestId('field-name').click()
      await page.getByTestId('form-save').click()
      const key = await page.getByTestId('new-key').inputValue()
      expect(await findAccessibilityViolations(page)).toEqual([])
      await page.getByTestId('new-key-stored').click()

      const callBoth = async () => {
        const first = await request.post('/usrCloud/user/getUser', { headers: { token: key }, data: {} })
        const headers = { Authorization: `Bearer ${key}` }
        const second = await request.post('/ht-api/api/CtlDev/GetDev', { headers, data: {} })
        return [(await first.json()).info, (await second.json()).message]
      }
      expect(await callBoth()).toEqual(['ok', 'success'])
      await page.getByTestId('record-search').fill(name)
      await expect(page.getByTestId('record-total')).toHaveText('共 1 项')
      expect(await findAccessibilityViolations(page)).toEqual([])
      await page.getByRole('checkbox').last().click()
      await confirmBulk(page, 'delete')
      await expect(record(page, name)).toHaveCount(0)
      expect(await callBoth()).not.toContain('ok')
      expect(await callBoth()).not.toContain('success')
    })
  })
}
