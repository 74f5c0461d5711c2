import { DEMO_PASSWORD } from '../support/accounts.ts'
import { endInAnotherTab, expectAddress, findToken, MODULES } from '../support/guard.ts'
import { enter, expect, fillLogin, test } from '../support/test.ts'

test.describe('signed out', () => {
  test('§2 any other path goes to /login?redirect={path}, and back with query and hash', async ({ page }) => {
    await page.goto('/ewph/fmhistory?range=15m#chart')
    await expectAddress(page, '/login?redirect=%2Fewph%2Ffmhistory%3Frange%3D15m%23chart')
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/ewph/fmhistory?range=15m#chart')
  })

  // Whatever else it may be stands in the tests of safe-redirect.ts, which hold for any text.
  test('the way back never leaves the console: //example.org/x', async ({ page }) => {
    await page.goto(`/login?redirect=${encodeURIComponent('//example.org/x')}`)
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/dashboard')
  })

  test('§2 username and password of a query are kept, and leave address and history at once', async ({
    page,
  }) => {
    // The login page is held back: the address must not wait for it.
    let release = (): void => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route(/login-page.*\.js/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('about:blank')
    const address = `/dashboard?x=1&username=viewer&password=${encodeURIComponent(DEMO_PASSWORD)}#h`
    await page.goto(address, { waitUntil: 'commit' })
    await expectAddress(page, '/dashboard?x=1#h')
    release()
    await expectAddress(page, '/login?redirect=%2Fdashboard%3Fx%3D1%23h')
    await expect(page.locator('input[autocomplete="username"]')).toHaveValue('viewer')
    await expect(page.locator('input[type="password"]')).toHaveValue(DEMO_PASSWORD)
    expect(await page.evaluate('JSON.stringify(history.state) + location.href')).not.toContain(DEMO_PASSWORD)
    await page.locator('button[type="submit"]').click()
    await expectAddress(page, '/dashboard?x=1#h')
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })

  test('G7: a password in the address of redirect leaves the address bar too', async ({ page }) => {
    const inner = new URLSearchParams({ username: 'a', password: 'secret' })
    await page.goto(`/login?${new URLSearchParams({ redirect: `/ewph/fmreal?sort=flow&${inner}` })}`)
    await expectAddress(page, '/login?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow')
  })

  test('§2 guard failure: 用户权限有问题 for 5 s, both tokens cleared, /login?redirect={path}', async ({
    page,
  }) => {
    await page.route(MODULES, (route) =>
      route.fulfill({ json: { message: 'failed', status: '500', data: null } }),
    )
    await page.goto('/ewph/fmreal')
    await fillLogin(page, 'viewer')
    const message = page.getByText('用户权限有问题')
    await expect(message).toBeVisible()
    const shown = Date.now()
    await expectAddress(page, '/login?redirect=%2Fewph%2Ffmreal')
    expect(await findToken(page)).toBeNull()
    await expect(message).toBeHidden({ timeout: 7_000 })
    expect(Date.now() - shown).toBeGreaterThan(3_500)
  })

  test('a login to a page that the user lacks leads to / and says so', async ({ page }) => {
    await page.goto('/ewph/fmcontrol')
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/dashboard')
    await expect(page.getByText('您的账号不能打开 /ewph/fmcontrol')).toBeVisible()
  })

  test('a different user never lands on the page of the last one; the same one does', async ({
    page,
    context,
  }) => {
    await enter(page, 'dispatcher', '/ewph/fmhistory')
    await endInAnotherTab(context)
    await expectAddress(page, '/login?redirect=%2Fewph%2Ffmhistory')
    await fillLogin(page, 'dispatcher')
    await expectAddress(page, '/ewph/fmhistory')
    await endInAnotherTab(context)
    await expectAddress(page, '/login?redirect=%2Fewph%2Ffmhistory')
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/dashboard')
  })

  test('§2 the route table is rebuilt on logout: the next user has his own pages', async ({ page }) => {
    await enter(page, 'dispatcher', '/ewph/fmcontrol')
    await page.getByTestId('user-menu').click()
    await page.getByRole('menuitem', { name: '注销' }).click()
    await expectAddress(page, '/login?redirect=%2F')
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/dashboard')
    await page.locator('.ant-menu-submenu-title').first().hover()
    await expect(page.getByRole('menuitem', { name: '阀门实时监测' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: '阀门控制管理' })).toHaveCount(0)
  })
})
