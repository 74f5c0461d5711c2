import { requestRead } from '@isotherm/contract/endpoints/devices/read-requests'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { callFor, signInDirectly } from '../support/api.ts'
import { option } from '../support/option.ts'
import { actOnOnly, confirmBulk, listTexts, record } from '../support/records.ts'
import { tab } from '../support/shell.ts'
import { enter, expect, test } from '../support/test.ts'
import { expectAccessible, views } from '../support/views.ts'

/** A device that reports and whose gateway is connected: those of other tests report over HTTP only. */
async function findConnected(kind: 'concentrator' | 'heat-meter') {
  const { second } = await signInDirectly('administrator')
  const input = { nodes: [], kinds: [kind], presence: ['present'], limiter: { page: 1, size: 20 } }
  const { datalist } = await callFor(getThreeSelectNewRealDev, input, second)
  for (const { device } of datalist) {
    const { outcome } = await callFor(requestRead, { deviceId: device.id }, second)
    if (outcome !== 'gateway-offline') return device
  }
  throw new Error(`no ${kind} has a connected gateway`)
}

/** Opens the page of such a device from its list. */
async function openConnected(page: Page, kind: 'concentrator' | 'heat-meter', path: string): Promise<void> {
  // After a start of the product it takes a while until devices have reported.
  let [id, imei] = [0, '']
  await expect(async () => {
    ;({ id, imei } = await findConnected(kind))
  }).toPass({ timeout: 60_000 })
  await page.goto(`${path}?q=${imei}`)
  await page.getByTestId(`record-${id}`).filter({ visible: true }).click()
  await page.getByRole('dialog').locator('a[href^="/dev/devdebug?id="]').click()
}

/** The first record of a list: a row of the table or a card. */
const firstRecord = (page: Page) =>
  page
    .getByTestId(/^record-(?!add|search|total|table|cards|export)/)
    .filter({ visible: true })
    .first()

const texts = {
  zh: {
    ...listTexts.zh,
    registered: (account: string) => `${account} 注册成功`,
    deleted: (account: string) => `${account} 删除成功`,
    saved: (name: string) => `“${name}”已保存`,
    roleSaved: (name: string) => `保存角色“${name}”成功`,
    codeSaved: (code: number) => `角色代码 ${code} 已保存`,
    edited: (account: string) => `${account} 修改成功`,
    breadcrumb: '当前位置',
    call: '按名称查找子用户',
    off: '停用',
    on: '启用',
    page: '阀门实时监测',
  },
  en: {
    ...listTexts.en,
    registered: (account: string) => `${account} registered successfully`,
    deleted: (account: string) => `${account} deleted successfully`,
    saved: (name: string) => `“${name}” saved`,
    roleSaved: (name: string) => `Saving role “${name}”: success`,
    codeSaved: (code: number) => `Role code ${code} saved`,
    edited: (account: string) => `${account} edited successfully`,
    breadcrumb: 'You are here',
    call: 'Find sub-users by name',
    off: 'Disabled',
    on: 'Enabled',
    page: 'Live valves',
  },
} as const

for (const view of views) {
  const { screen, language, locale, viewport, hasTouch } = view
  const text = texts[language]

  async function renameModule(page: Page, to: string): Promise<void> {
    await page.goto('/sys/modelsys?q=rolecodesys')
    await expect(page.getByTestId('record-total')).toHaveText(text.total('1'))
    await firstRecord(page).click()
    await page.getByTestId('field-name').fill(to)
    await page.getByTestId('form-save').click()
    await expect(page.getByText(text.saved(to))).toBeVisible()
  }

  test.describe(`${screen}, ${language}`, { tag: '@slow' }, () => {
    test.use({ locale, viewport, hasTouch })

    test('a renamed module renames its page everywhere, and the log has the names before and after', async ({
      page,
    }) => {
      await enter(page, 'administrator', '/sys/modelsys')
      await expect(page.getByTestId('record-total')).toHaveText(text.total('\\d+'))
      await expectAccessible(page, view)
      await renameModule(page, '角色编码表')
      await page.goto('/sys/rolecodesys')
      await expect(tab(page, '/sys/rolecodesys')).toContainText('角色编码表')
      await expect(page.getByRole('navigation', { name: text.breadcrumb })).toContainText('角色编码表')
      await renameModule(page, '角色代码管理')
      await page.goto('/sys/logsys?endpoint=editModules')
      await record(page, ':').click()
      await expect(page.getByTestId('log-changes').locator('del')).toHaveText('角色编码表')
      await expect(page.getByTestId('log-changes').locator('ins')).toHaveText('角色代码管理')
      await expectAccessible(page, view)
    })

    test('a role gets a code and a module, its preview shows the menu, and both are deleted', async ({
      page,
    }) => {
      const name = `夜班-${screen}-${Date.now()}`
      const code = 9_000 + Math.floor(Math.random() * 900)
      await enter(page, 'administrator', '/sys/rolecodesys')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-code').fill(String(code))
      await page.getByTestId('field-name').fill(name)
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.codeSaved(code))).toBeVisible()

      await page.goto('/sys/rolesys')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-name').fill(name)
      await page.getByTestId('field-code').click()
      await page.keyboard.type(String(code))
      await option(page, String(code)).click()
      await page.getByRole('dialog').getByRole('checkbox', { name: text.page }).click()
      await expect(page.getByTestId('menu-preview')).toContainText(text.page)
      await expectAccessible(page, view)
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.roleSaved(name))).toBeVisible()

      await page.goto(`/sys/rolesys?q=${encodeURIComponent(name)}`)
      await actOnOnly(page, text, 'delete')
      await page.goto(`/sys/rolecodesys?q=${code}`)
      await actOnOnly(page, text, 'delete')
      await expect(record(page, name)).toHaveCount(0)
    })

    test('an organisation is added and deleted', async ({ page }) => {
      const name = `客服部-${screen}-${Date.now()}`
      await enter(page, 'administrator', '/sys/organsys')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-name').fill(name)
      await expectAccessible(page, view)
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.saved(name))).toBeVisible()
      await page.getByTestId('record-search').fill(name)
      await actOnOnly(page, text, 'delete')
      await expect(record(page, name)).toHaveCount(0)
    })

    test('a user of the company gets another name and is disabled and enabled, on the page of the system', async ({
      page,
    }) => {
      const name = `客服-${screen}`
      await enter(page, 'administrator', '/sys/usersys?q=service')
      const open = async () => {
        await expect(page.getByTestId('record-total')).toHaveText(text.total('1'))
        await record(page, 'service').click()
      }
      await open()
      const before = await page.getByTestId('field-name').inputValue()
      for (const to of [name, before]) {
        await page.getByTestId('field-name').fill(to)
        await page.getByTestId('form-save').click()
        await expect(page.getByText(text.edited('service')).last()).toBeVisible()
        await page.goto('/sys/usersys?q=service')
        await open()
        await expect(page.getByTestId('field-name')).toHaveValue(to)
      }
      await page.getByTestId('user-disable').click()
      await page.locator('.ant-popconfirm-buttons .ant-btn-primary').click()
      await page.getByTestId('user-enable').click()
      await expect(page.getByTestId('user-disable')).toBeVisible()
      // The provider's own staff are on the third page of the same list; a company has none of them.
      await page.goto('/sys/htusersys?q=service')
      await expect(page.getByTestId('record-total')).toHaveText(text.total('0'))
    })

    test('a user of the provider is registered, edited and deleted, on the page of the provider', async ({
      page,
    }) => {
      const account = `provider-${screen}-${Date.now()}`
      await enter(page, 'administrator', '/sys/htusersys')
      await page.getByTestId('record-add').click()
      await page.getByTestId('field-account').fill(account)
      await page.getByTestId('field-password').fill('北门泵房值班的备用密码')
      await page.getByTestId('field-name').fill('赵六')
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.registered(account))).toBeVisible()

      await page.goto(`/sys/htusersys?q=${account}`)
      await record(page, account).click()
      await page.getByTestId('field-name').fill('赵七')
      await expectAccessible(page, view)
      await page.getByTestId('form-save').click()
      await expect(page.getByText(text.edited(account))).toBeVisible()

      await page.goto(`/sys/htusersys?q=${account}`)
      await expect(page.getByRole('main')).toContainText('赵七')
      await record(page, account).click()
      await page.getByTestId('user-delete').click()
      await page.locator('.ant-popconfirm-buttons .ant-btn-dangerous').click()
      await expect(page.getByText(text.deleted(account))).toBeVisible()
      await expect(page.getByTestId('record-total')).toHaveText(text.total('0'))
    })

    test('a device is read on request, and its concentrator answers a ping', async ({ page }) => {
      await enter(page, 'administrator')
      const readNow = async () => {
        const answered = page.waitForResponse((response) => response.url().endsWith('/Dev/RequestRead'))
        await page.getByTestId('read-now').click()
        const { data } = z.object({ data: z.object({ id: z.string() }) }).parse(await (await answered).json())
        // An earlier request may have been answered before.
        const result = page.locator(`[data-testid="read-result"][data-request="${data.id}"]`)
        await expect(result).toHaveAttribute('data-outcome', 'answered')
      }
      await openConnected(page, 'concentrator', '/dev/datadevmanager')
      await readNow()
      await openConnected(page, 'heat-meter', '/dev/caldevmanager')
      await readNow()
      await expectAccessible(page, view)
    })

    test('a call is disabled and enabled again', async ({ page }) => {
      await enter(page, 'administrator', '/sys/interfacesys')
      await expect(page.getByTestId('record-total')).toHaveText(text.total('\\d+'))
      await expectAccessible(page, view)
      const select = async () => {
        await page.goto('/sys/interfacesys?q=GetLikeSubUser&pick=getLikeSubUser')
        await expect(record(page, text.call)).toBeVisible()
      }
      await select()
      await confirmBulk(page, text, 'disable')
      await expect(page.getByText(text.off, { exact: true }).filter({ visible: true })).toHaveCount(1)
      await select()
      await confirmBulk(page, text, 'enable')
      await expect(page.getByText(text.on, { exact: true }).filter({ visible: true })).toHaveCount(1)
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
      await expectAccessible(page, view)
      await page.getByTestId('new-key-stored').click()

      const callBoth = async () => {
        const first = await request.post('/usrCloud/user/getUser', { headers: { token: key }, data: {} })
        const headers = { Authorization: `Bearer ${key}` }
        const second = await request.post('/ht-api/api/CtlDev/GetDev', { headers, data: {} })
        return [(await first.json()).info, (await second.json()).message]
      }
      expect(await callBoth()).toEqual(['ok', 'success'])
      await page.getByTestId('record-search').fill(name)
      await expectAccessible(page, view)
      await actOnOnly(page, text, 'delete')
      await expect(record(page, name)).toHaveCount(0)
      expect(await callBoth()).not.toContain('ok')
      expect(await callBoth()).not.toContain('success')
    })
  })
}
