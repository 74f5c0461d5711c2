import { findBarriers } from '../support/axe.ts'
import { expectAddress, findToken, MODULES } from '../support/guard.ts'
import { enter, expect, fillLogin, test } from '../support/test.ts'

/** The page that waits for the server asks it this often, at the least. */
const ASKED_WITHIN_MS = 20_000

test.describe('when the permitted modules cannot be asked for', () => {
  test('nothing is cleared, and the console comes by itself once the server is back', async ({ page }) => {
    await page.clock.install()
    await enter(page, 'viewer', '/ewph/fmhistory')
    await page.route(MODULES, (route) => route.abort())
    await page.reload()
    await expect(page.getByTestId('retry-page')).toBeVisible()
    expect(await findBarriers(page)).toEqual([])
    expect(await findToken(page)).not.toBeNull()
    await expectAddress(page, '/ewph/fmhistory')
    await page.unroute(MODULES)
    await page.clock.fastForward(ASKED_WITHIN_MS)
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toBeVisible({ timeout: 20_000 })
  })

  for (const [what, answer] of [
    [
      'a gateway with a JSON of its own',
      { status: 503, json: { statusCode: 503, error: 'Service Unavailable' } },
    ],
    ['the login page of a network', { status: 200, contentType: 'text/html', body: '<html>Welcome</html>' }],
  ] as const) {
    test(`${what} in place of the server clears nothing`, async ({ page }) => {
      await enter(page, 'viewer', '/ewph/fmhistory')
      await page.route(MODULES, (route) => route.fulfill(answer))
      await page.reload()
      await expect(page.getByTestId('retry-page')).toBeVisible()
      await expectAddress(page, '/ewph/fmhistory')
      expect(await findToken(page)).not.toBeNull()
    })
  }

  test('G10: who signs in elsewhere meanwhile does not open the page of the last user here', async ({
    page,
    context,
  }) => {
    await enter(page, 'dispatcher')
    const other = await context.newPage()
    await other.goto('/ewph/fmhistory?range=15m')
    await expect(other.getByTestId('user-menu')).toBeVisible()
    await other.route(MODULES, (route) => route.abort())
    await other.reload()
    await expect(other.getByTestId('retry-page')).toBeVisible()
    await page.getByTestId('user-menu').click()
    await page.getByRole('menuitem', { name: '注销' }).click()
    await expectAddress(page, '/login?redirect=%2F')
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/dashboard')
    await other.unroute(MODULES)
    await other.getByTestId('retry').click()
    await expectAddress(other, '/dashboard')
  })

  test('the user may log out from there', async ({ page }) => {
    await enter(page, 'viewer')
    await page.route(MODULES, (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }))
    await page.reload()
    await page.getByRole('button', { name: '退出登录' }).click()
    await expectAddress(page, '/login')
    expect(await findToken(page)).toBeNull()
  })

  for (const [locale, words] of [
    ['zh-CN', '暂时联系不上服务器'],
    ['en-GB', 'The server cannot be reached'],
  ] as const) {
    test.describe(`on a phone, ${locale}`, () => {
      test.use({ locale, viewport: { width: 390, height: 844 } })

      test('the page that says so fits, and its button tries again at once', async ({ page }) => {
        await page.goto('/dashboard')
        await page.route(MODULES, (route) => route.abort())
        await fillLogin(page, 'viewer')
        await expect(page.getByText(words)).toBeVisible()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
        await page.unroute(MODULES)
        await page.getByTestId('retry').click()
        await expect(page.getByTestId('user-menu')).toBeVisible({ timeout: 8_000 })
      })
    })
  }
})
