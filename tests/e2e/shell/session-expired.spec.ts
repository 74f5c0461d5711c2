import type { BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import { endOnServer, findDialog, findStatus, isLogin, logOut, readStored } from '../support/session.ts'
import { expect, signIn, test } from '../support/test.ts'

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
})
