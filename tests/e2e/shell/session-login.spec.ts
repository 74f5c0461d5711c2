import { MINUTE_MS } from '@isotherm/kernel/durations'
import { DEMO_PASSWORD, demoPasswordHash } from '../support/accounts.ts'
import { findDialog, findStatus, isLogin, logOut, readStored } from '../support/session.ts'
import { enter, expect, fillLogin, signIn, test } from '../support/test.ts'

/** A server that could not be told of a logout is told again this often, at the least. */
const TOLD_WITHIN_MS = 25_000

test.describe('login', () => {
  test('empty fields are named, the first is gone to, and nothing is sent', async ({ page }) => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') calls.push(request.url())
    })
    await page.goto('/login')
    await page.locator('button[type="submit"]').click()
    await expect(page.getByText('请输入账号')).toBeVisible()
    await expect(page.getByText('请输入密码')).toBeVisible()
    await expect(page.locator('input[name="account"]')).toBeFocused()
    await page.locator('input[name="account"]').fill('viewer')
    await page.locator('button[type="submit"]').click()
    await expect(page.locator('input[name="password"]')).toBeFocused()
    expect(calls).toEqual([])
  })

  test('a password is shown as long as somebody wants to see it', async ({ page }) => {
    await page.goto('/login')
    const password = page.getByLabel('密码', { exact: true })
    await password.fill('geheim')
    const show = page.getByRole('button', { name: '显示密码' })
    await show.click()
    await expect(password).toHaveAttribute('type', 'text')
    await expect(password).toHaveValue('geheim')
    await show.click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  test('§8 {account} failure reason: {info}, without saying whether the account exists', async ({ page }) => {
    await page.goto('/login')
    await fillLogin(page, 'nobody-of-that-name', 'not the password')
    await expect(page.getByTestId('login-error')).toContainText(
      'nobody-of-that-name 失败原因：账号或密码错误',
    )
  })

  test.describe('in English on a phone', () => {
    test.use({ locale: 'en-GB', viewport: { width: 390, height: 844 } })

    test('§8 the English text has the words of the specification, and fits', async ({ page }) => {
      await page.goto('/login')
      await fillLogin(page, 'nobody-of-that-name', 'not the password')
      await expect(page.getByTestId('login-error')).toContainText('nobody-of-that-name failure reason: ')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    })
  })

  test('§5 the login account is trimmed, the password is hashed before sending', async ({ page }) => {
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    await page.goto('/login')
    await fillLogin(page, '  service ')
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(bodies.some((body) => body.includes('"service"') && body.includes(demoPasswordHash))).toBe(true)
    expect(bodies.filter((body) => body.includes(DEMO_PASSWORD))).toEqual([])
  })

  test('§9 heighten, heightenplus, ExpiresAt 2 hours ahead, loginSrcId; the stored password is encoded', async ({
    page,
  }) => {
    const before = Date.now()
    await signIn(page, 'viewer')
    for (const key of ['heighten', 'heightenplus', 'loginSrcId']) {
      expect(await readStored(page, key), key).toBeTruthy()
    }
    const expiresAt = Number(await readStored(page, 'ExpiresAt'))
    expect(expiresAt).toBeGreaterThanOrEqual(before + 120 * MINUTE_MS)
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 120 * MINUTE_MS)
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    expect(stored).not.toContain(DEMO_PASSWORD)
    expect(stored).not.toContain(demoPasswordHash)
  })

  test("§8 second-backend login, missing response: 'response null'; status not 200: 'response status error'", async ({
    page,
  }) => {
    await page.route('**/User/TokenLogin', (route) => route.fulfill({ json: null }))
    await page.goto('/login')
    await fillLogin(page, 'viewer')
    await expect(page.getByTestId('login-error')).toContainText('response null')
    await page.unroute('**/User/TokenLogin')
    await page.route('**/User/TokenLogin', (route) =>
      route.fulfill({ json: { message: '不行', status: '500', data: null } }),
    )
    await page.locator('button[type="submit"]').click()
    await expect(page.getByTestId('login-error')).toContainText('response status error')
    await expect.poll(() => readStored(page, 'heighten')).toBeNull()
  })

  test('a login that is slowed down counts the seconds, then may be tried again', async ({ page }) => {
    await page.route('**/user/login', (route) =>
      route.fulfill({
        status: 429,
        json: {
          info: '登录尝试过多，请 3 秒后再试',
          status: 1002,
          code: 'session.slowed',
          params: { retryAfterS: 3 },
        },
      }),
    )
    await page.goto('/login')
    await fillLogin(page, 'viewer')
    const submit = page.getByTestId('login-submit')
    await expect(submit).toHaveText(/请 [123] 秒后再试/)
    await expect(submit).toBeDisabled()
    await expect(submit).toHaveText('登录')
    await expect(submit).toBeEnabled()
  })

  test('a demo names its accounts on the login; a click fills one in', async ({ page }) => {
    await page.goto('/login')
    await page.getByTestId('demo-accounts').getByRole('button', { name: '只读' }).click()
    await page.getByTestId('login-submit').click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('a login in one tab is one in all: the others leave the login too', async ({ page, context }) => {
    const other = await context.newPage()
    await other.goto('/ewph/fmhistory')
    await expect(other).toHaveURL(isLogin)
    await signIn(page, 'viewer')
    await expect(other).toHaveURL(/\/ewph\/fmhistory$/)
  })
})

test.describe('logout', () => {
  test('§2 log out, then go to /login?redirect=/; §4 both tokens are cleared, here and on the server', async ({
    page,
  }) => {
    await enter(page, 'irrigation')
    const token = await readStored(page, 'heighten')
    await logOut(page)
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === '/login?redirect=%2F')
    await expect(page.getByText('注销成功')).toBeVisible()
    await expect.poll(() => readStored(page, 'heighten')).toBeNull()
    await expect.poll(() => readStored(page, 'heightenplus')).toBeNull()
    await expect.poll(() => findStatus(page, token)).toBe(11)
  })

  test('S6: a logout in one tab leaves all tabs at the login', async ({ page, context }) => {
    await enter(page, 'irrigation')
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByTestId('user-menu')).toBeVisible()
    await logOut(page)
    await expect(page).toHaveURL(isLogin)
    await expect(other).toHaveURL(isLogin)
    await expect(findDialog(other)).toHaveCount(0)
  })

  test('S6: logout works with the server down, which is told once it is back', async ({ page }) => {
    await page.clock.install()
    await enter(page, 'irrigation')
    const token = await readStored(page, 'heighten')
    await page.route('**/user/logout', (route) => route.abort())
    await logOut(page)
    await expect(page).toHaveURL(isLogin)
    await expect(page.getByText('未能通知服务器')).toBeVisible()
    await expect.poll(() => readStored(page, 'heighten')).toBeNull()
    expect(await findStatus(page, token)).toBe(0)
    await page.unroute('**/user/logout')
    await page.clock.fastForward(TOLD_WITHIN_MS)
    await expect.poll(() => findStatus(page, token), { timeout: 25_000 }).toBe(11)
  })
})
