import type { Page, Route } from '@playwright/test'
import { expectAddress, findToken, MODULES } from '../support/guard.ts'
import { endOnServer } from '../support/session.ts'
import { expect, fillLogin, test } from '../support/test.ts'
import { row } from '../support/tree.ts'

/** Texts of section 8 of the specification that a browser must show. Other specs assert the rest of the section. */
const texts = [
  {
    language: '中文',
    guard: '用户权限有问题',
    projects: '加载失败',
    retry: '重试',
    network: '网络连接失败，请检查网络',
    http: '服务器返回错误 502',
    expired: '用户信息已过期，请重新登录',
    again: '重新登录',
    cancel: '取消',
    renewed: '重新登录成功',
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
    projects: 'Loading failed',
    retry: 'Retry',
    network: 'No connection to the server, check the network',
    http: 'The server answered with error 502',
    expired: 'User info has expired, please log in again',
    again: 'Re-Login',
    cancel: 'Cancel',
    renewed: 'Re-Login success',
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
/** A refusal with words of its own. */
const MAINTENANCE = 'modules under maintenance'

/** Refuses a call until the returned function is called. */
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

    await test.step('permissions that cannot be loaded: tokens are reset, the address stays', async () => {
      const allow = await refuse(page, MODULES, { ...refusal, message: MAINTENANCE })
      const thrown = page.waitForEvent('console', (message) => message.text().includes(MAINTENANCE))
      await fillLogin(page, 'dispatcher')
      await expect(page.getByText(text.guard)).toBeVisible()
      await expect.poll(() => findToken(page)).toBeNull()
      await thrown
      await allow()
    })

    await test.step('projects, groups, addresses and sub-users that cannot be loaded', async () => {
      await page.goto('/login?redirect=/ewph/fmcontrol')
      const refused = { status: 5000, info: 'failed', data: null }
      const projects = await refuse(page, '**/projectInfo/queryProjectList', refused)
      const groups = await refuse(page, '**/dev/getDevGroups', refused)
      await fillLogin(page, 'dispatcher')
      await expectAddress(page, '/ewph/fmcontrol')
      const aborted = page.locator('.tree-panel').getByRole('alert')
      await expect(aborted).toContainText(text.projects)
      await projects()
      await aborted.getByRole('button', { name: text.retry }).click()
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

    await test.step('failures of the network and of HTTP', async () => {
      for (const [shown, fail] of [
        [text.network, (route: Route) => route.abort()],
        [text.http, (route: Route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' })],
      ] as const) {
        await page.route('**/CtlDev/GetCtlLog', fail)
        await page.goto('/ewph/fmcontrol?list=log')
        await expect(page.locator('.ant-message').getByText(shown)).toBeVisible()
        await page.unroute('**/CtlDev/GetCtlLog')
      }
    })

    await test.step('an expired session', async () => {
      await page.goto('/ewph/fmcontrol')
      await expect(row(page, '城东区域')).toBeVisible()
      await endOnServer(page)
      const dialog = page.getByRole('dialog').filter({ hasText: text.expired })
      await expect(dialog.getByRole('button', { name: text.cancel })).toBeVisible()
      await dialog.getByRole('button', { name: text.again }).click()
      await expect(page.getByText(text.renewed)).toBeVisible()
      await expect(dialog).toHaveCount(0)
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
