import type { Page } from '@playwright/test'
import { expectAddress, findToken, MODULES } from '../support/guard.ts'
import { expect, fillLogin, test } from '../support/test.ts'
import { row } from '../support/tree.ts'

/** Texts of section 8 of the specification that a browser must show. Other specs assert the rest of the section. */
const texts = [
  {
    language: '中文',
    guard: '用户权限有问题',
    groups: '获取分组错误',
    addresses: '取子用户地址错误',
    subUsers: '取子用户错误',
    fullScreen: '您的浏览器不支持全屏',
    fullScreenButton: '全屏',
    logOut: '注销',
    done: '注销成功',
  },
  {
    language: 'English',
    guard: 'There is a problem with the user permissions',
    groups: 'The groups could not be loaded',
    addresses: 'Addresses of the sub-users could not be loaded',
    subUsers: 'The sub-users could not be loaded',
    fullScreen: 'Your browser does not support full screen',
    fullScreenButton: 'Full screen',
    logOut: 'Log out',
    done: 'Log out success',
  },
] as const

const TOKEN_LOGIN = '**/User/TokenLogin'
/** A refusal without the codes of this server, as the backend of a company may answer. */
const refusal = { status: '5000', message: 'failed', data: null }

/** Refuses a call of the second backend until the returned function is called. */
async function refuse(page: Page, address: string, answer: object = refusal) {
  await page.route(address, (route) => route.fulfill({ json: answer }))
  return () => page.unroute(address)
}

async function logOut(page: Page, name: string): Promise<void> {
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name }).click()
}

for (const text of texts)
  test(`§8 the texts of faults and of success are shown in a browser: ${text.language}`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.addInitScript('Object.defineProperty(document, "fullscreenEnabled", { value: false })')
    await page.goto('/login')
    await page.getByTestId('language').click()
    await page.getByRole('menuitem', { name: text.language }).click()

    await test.step('a missing answer of the second login, and one with another status', async () => {
      await page.route(TOKEN_LOGIN, (route) => route.fulfill({ body: '' }))
      await fillLogin(page, 'dispatcher')
      await expect(page.getByTestId('login-error')).toContainText('response null')
      await page.unroute(TOKEN_LOGIN)
      const allow = await refuse(page, TOKEN_LOGIN)
      await fillLogin(page, 'dispatcher')
      await expect(page.getByTestId('login-error')).toContainText('response status error')
      await allow()
    })

    await test.step('permissions that cannot be loaded: tokens are reset, the address is kept', async () => {
      const allow = await refuse(page, MODULES)
      await fillLogin(page, 'dispatcher')
      await expect(page.getByText(text.guard)).toBeVisible()
      await expect.poll(() => findToken(page)).toBeNull()
      await allow()
    })

    await test.step('groups, addresses and sub-users that cannot be loaded', async () => {
      await page.goto('/login?redirect=/ewph/fmcontrol')
      const groups = await refuse(page, '**/dev/getDevGroups', { status: 5000, info: 'failed', data: null })
      await fillLogin(page, 'dispatcher')
      await expectAddress(page, '/ewph/fmcontrol')
      await expect(page.getByText(text.groups)).toBeVisible()
      await groups()
      const users = await refuse(page, '**/CtlDev/GetVauser')
      await page.reload()
      await expect(page.getByText(text.addresses)).toBeVisible()
      const area = row(page, '东苑小区')
      for (const name of ['城东区域', '东苑换热站'])
        await row(page, name).locator('[data-part="toggle"]').click()
      await area.locator('[data-part="toggle"]').click()
      await expect(page.getByText(text.subUsers, { exact: true })).toBeVisible()
      await users()
    })

    await test.step('a browser without full screen', async () => {
      await page.getByRole('button', { name: text.fullScreenButton, exact: true }).click()
      await expect(page.getByText(text.fullScreen)).toBeVisible()
    })

    await test.step('a logout reports its success', async () => {
      await logOut(page, text.logOut)
      await expect(page.getByText(text.done)).toBeVisible()
      await expect(page).toHaveURL(/\/login/)
    })
  })
