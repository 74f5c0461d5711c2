import { z } from 'zod'
import { endOnServer, findDialog, findStatus, isLogin, logOut, readStored } from '../support/session.ts'
import { expect, signIn, test } from '../support/test.ts'

test('two tabs share one session: login, expiry, Re-Login and logout apply to both', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  const tabs = [page, other]

  await test.step('S6: a login in one tab signs in all tabs', async () => {
    await other.goto('/ewph/fmhistory')
    await expect(other).toHaveURL(isLogin)
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    await expect(other).toHaveURL(/\/ewph\/fmhistory$/)
    await expect(other.getByTestId('user-menu')).toBeVisible()
  })

  await test.step('S4: §8 one confirm dialog with Re-Login and Cancel; Re-Login renews the session of every tab', async () => {
    const old = await readStored(page, 'heighten')
    await endOnServer(page)
    for (const tab of tabs) {
      await expect(findDialog(tab)).toContainText('用户信息已过期，请重新登录')
      await expect(findDialog(tab)).toHaveCount(1)
    }
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    for (const tab of tabs) await expect(findDialog(tab)).toHaveCount(0)
    await expect.poll(() => readStored(page, 'heighten')).not.toBe(old)
    for (const tab of tabs) {
      await expect(tab.getByTestId('live-lost')).toHaveCount(0)
      await expect(tab.getByTestId('user-menu')).toBeVisible()
    }
    await page.getByTestId('tab-/dashboard').getByRole('link').click()
    await expect(page.getByRole('main')).toContainText(/\S/)
  })

  await test.step('S6: a logout in one tab shows the login page in all tabs', async () => {
    await logOut(page)
    for (const tab of tabs) await expect(tab).toHaveURL(isLogin)
    await expect(findDialog(other)).toHaveCount(0)
  })

  await test.step('S7: a logout in another tab is not undone by a Re-Login under way, whose session ends', async () => {
    await signIn(page, 'maintenance', '/ewph/fmcontrol')
    await expect(other.getByTestId('user-menu')).toBeVisible()
    await endOnServer(page)
    const { promise: requested, resolve: recordRequest } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let given = ''
    await page.route('**/user/login', async (route) => {
      const response = await route.fetch()
      given = z.object({ data: z.object({ token: z.string() }) }).parse(await response.json()).data.token
      await route.fulfill({ response })
    })
    await page.route('**/User/TokenLogin', async (route) => {
      recordRequest()
      await released
      await route.continue()
    })
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await requested
    await findDialog(other).getByRole('button', { name: '取消' }).click()
    await logOut(other)
    for (const tab of tabs) await expect(tab).toHaveURL(isLogin)
    release()
    await expect.poll(() => findStatus(page, given)).toBe(11)
    await expect.poll(() => readStored(page, 'heighten')).toBeNull()
    for (const tab of tabs) await expect(tab).toHaveURL(isLogin)
  })
})
