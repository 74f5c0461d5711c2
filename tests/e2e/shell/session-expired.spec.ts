import type { BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import { endOnServer, findDialog, findStatus, isLogin, logOut, readStored } from '../support/session.ts'
import { expect, fillLogin, signIn, test } from '../support/test.ts'

test.describe('status 11', () => {
  /** Signs in and opens a second tab of the same session, which has nothing stored to log in with. */
  async function openTwoTabs(page: Page, context: BrowserContext): Promise<Page> {
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByTestId('user-menu')).toBeVisible()
    return other
  }

  test('S4: §8 one confirm dialog with Re-Login and Cancel; Re-Login lets all go on, in every tab', async ({
    page,
    context,
  }) => {
    const other = await openTwoTabs(page, context)
    const old = await readStored(page, 'heighten')
    await endOnServer(page)
    for (const tab of [page, other]) {
      await expect(findDialog(tab)).toContainText('用户信息已过期，请重新登录')
      await expect(findDialog(tab)).toHaveCount(1)
    }
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(findDialog(page)).toHaveCount(0)
    await expect(findDialog(other)).toHaveCount(0)
    await expect.poll(() => readStored(page, 'heighten')).not.toBe(old)
    for (const tab of [page, other]) {
      await expect(tab.getByTestId('live-lost')).toHaveCount(0)
      await expect(tab.getByTestId('user-menu')).toBeVisible()
    }
    await page.getByTestId('tab-/dashboard').getByRole('link').click()
    await expect(page.getByRole('main')).toContainText(/\S/)
  })

  test('§8 Cancel leaves the page as it is, marked as expired; the banner asks again', async ({ page }) => {
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    await endOnServer(page)
    await findDialog(page).getByRole('button', { name: '取消' }).click()
    await expect(findDialog(page)).toHaveCount(0)
    const banner = page.getByText('登录已过期，数据不再更新')
    await expect(banner).toBeVisible()
    await page.getByRole('alert').getByRole('button', { name: '重新登录' }).click()
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(banner).toHaveCount(0)
    await expect(page).toHaveURL(/\/ewph\/fmcontrol$/)
  })

  test('a tab that stored nothing leads to the login, and back to its page', async ({ page, context }) => {
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    const other = await context.newPage()
    await page.close()
    await other.goto('/ewph/fmhistory')
    await expect(other.getByTestId('user-menu')).toBeVisible()
    await endOnServer(other)
    await findDialog(other).getByRole('button', { name: '重新登录' }).click()
    await expect(other).toHaveURL(
      (url) => `${url.pathname}${url.search}` === '/login?redirect=%2Fewph%2Ffmhistory',
    )
    await fillLogin(other, 'maintenance')
    await expect(other).toHaveURL(/\/ewph\/fmhistory$/)
  })

  test('a server that cannot be reached leaves the question open', async ({ page }) => {
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    await endOnServer(page)
    await page.route('**/user/login', (route) => route.abort())
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(findDialog(page).getByRole('alert')).toContainText('网络连接失败')
    await page.unroute('**/user/login')
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(findDialog(page)).toHaveCount(0)
  })

  test('S7: a logout in another tab is not undone by a Re-Login under way, whose session ends', async ({
    page,
    context,
  }) => {
    const other = await openTwoTabs(page, context)
    await endOnServer(page)
    const { promise: asked, resolve: recordAsked } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let given = ''
    await page.route('**/user/login', async (route) => {
      const response = await route.fetch()
      given = z.object({ data: z.object({ token: z.string() }) }).parse(await response.json()).data.token
      await route.fulfill({ response })
    })
    await page.route('**/User/TokenLogin', async (route) => {
      recordAsked()
      await released
      await route.continue()
    })
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await asked
    await findDialog(other).getByRole('button', { name: '取消' }).click()
    await logOut(other)
    await expect(other).toHaveURL(isLogin)
    await expect(page).toHaveURL(isLogin)
    release()
    await expect.poll(() => findStatus(page, given)).toBe(11)
    await expect.poll(() => readStored(page, 'heighten')).toBeNull()
    await expect(page).toHaveURL(isLogin)
    await expect(other).toHaveURL(isLogin)
  })

  test('a dialog that cannot be loaded leaves the page and its banner, which asks again', async ({
    page,
  }) => {
    await page.route(/relogin-dialog.*\.js/, (route) => route.abort())
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    await endOnServer(page)
    const banner = page.getByText('登录已过期，数据不再更新')
    await expect(banner).toBeVisible()
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await page.unroute(/relogin-dialog.*\.js/)
    await page.getByRole('alert').getByRole('button', { name: '重新登录' }).click()
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(banner).toHaveCount(0)
  })

  test.describe('in English on a phone', () => {
    test.use({ locale: 'en-GB', viewport: { width: 390, height: 844 } })

    test('§8 User info has expired, please log in again: Re-Login and Cancel', async ({ page }) => {
      await signIn(page, 'maintenance', '/dashboard')
      await endOnServer(page)
      const dialog = page.getByRole('dialog', { name: 'Session expired' })
      await expect(dialog).toContainText('User info has expired, please log in again')
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Re-Login' }).click()
      await expect(dialog).toHaveCount(0)
    })
  })
})
