import type { BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import { DEMO_PASSWORD, demoPasswordHash } from './support/accounts.ts'
import { enter, expect, fillLogin, signIn, test } from './support/test.ts'

const MINUTE_MS = 60_000
const text = z.string().nullable()

const readStored = async (page: Page, key: string): Promise<string | null> =>
  text.parse(await page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`))

const isLogin = (url: URL): boolean => url.pathname === '/login'

/** Ends the session on the server, as an administrator or two hours without a refresh would. */
async function endOnServer(page: Page): Promise<void> {
  const token = (await readStored(page, 'heighten')) ?? ''
  const answer = await page.request.post('/usrCloud/user/logout', { headers: { token }, data: { opType: 1 } })
  expect(await answer.json()).toMatchObject({ info: 'ok' })
}

const findDialog = (page: Page) => page.getByRole('dialog', { name: '登录已过期' })

async function logOut(page: Page): Promise<void> {
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: '注销' }).click()
}

/** What the server says of a first-backend token. */
async function findStatus(page: Page, token: string | null): Promise<unknown> {
  const answer = await page.request.post('/usrCloud/user/getUser', {
    headers: { token: token ?? '' },
    data: {},
  })
  return z.object({ status: z.unknown() }).parse(await answer.json()).status
}

test.describe('login', () => {
  test('empty fields are named, and nothing is sent', async ({ page }) => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') calls.push(request.url())
    })
    await page.goto('/login')
    await page.locator('button[type="submit"]').click()
    await expect(page.getByText('请输入账号')).toBeVisible()
    await expect(page.getByText('请输入密码')).toBeVisible()
    expect(calls).toEqual([])
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
    expect(await readStored(page, 'heighten')).toBeNull()
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
    expect(await readStored(page, 'heighten')).toBeNull()
    expect(await readStored(page, 'heightenplus')).toBeNull()
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
    await enter(page, 'irrigation')
    const token = await readStored(page, 'heighten')
    await page.route('**/user/logout', (route) => route.abort())
    await logOut(page)
    await expect(page).toHaveURL(isLogin)
    await expect(page.getByText('未能通知服务器')).toBeVisible()
    expect(await readStored(page, 'heighten')).toBeNull()
    expect(await findStatus(page, token)).toBe(0)
    await page.unroute('**/user/logout')
    await expect.poll(() => findStatus(page, token), { timeout: 25_000 }).toBe(11)
  })
})

test.describe('status 11', () => {
  /** Signs in and opens a second tab of the same session, which has nothing stored to log in with. */
  async function openTwoTabs(page: Page, context: BrowserContext): Promise<Page> {
    await signIn(page, 'maintenance', '/ewph/fmreal')
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
    expect(await readStored(page, 'heighten')).not.toBe(old)
    for (const tab of [page, other]) {
      await expect(tab.getByTestId('live-lost')).toHaveCount(0)
      await expect(tab.getByTestId('user-menu')).toBeVisible()
    }
    await page.getByTestId('tab-/dashboard').getByRole('link').click()
    await expect(page.getByRole('main')).toContainText(/\S/)
  })

  test('§8 Cancel leaves the page as it is, marked as expired; the banner asks again', async ({ page }) => {
    await signIn(page, 'maintenance', '/ewph/fmreal')
    await endOnServer(page)
    await findDialog(page).getByRole('button', { name: '取消' }).click()
    await expect(findDialog(page)).toHaveCount(0)
    const banner = page.getByText('登录已过期，数据不再更新')
    await expect(banner).toBeVisible()
    await page.getByRole('alert').getByRole('button', { name: '重新登录' }).click()
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(banner).toHaveCount(0)
    await expect(page).toHaveURL(/\/ewph\/fmreal$/)
  })

  test('a tab that stored nothing leads to the login, and back to its page', async ({ page, context }) => {
    await signIn(page, 'maintenance', '/ewph/fmreal')
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
    await signIn(page, 'maintenance', '/ewph/fmreal')
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
    const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let given = ''
    await page.route('**/user/login', async (route) => {
      const response = await route.fetch()
      given = z.object({ data: z.object({ token: z.string() }) }).parse(await response.json()).data.token
      await route.fulfill({ response })
    })
    await page.route('**/User/TokenLogin', async (route) => {
      noteAsked()
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
    expect(await readStored(page, 'heighten')).toBeNull()
    await expect(page).toHaveURL(isLogin)
    await expect(other).toHaveURL(isLogin)
  })

  test('a dialog that cannot be loaded leaves the page and its banner, which asks again', async ({
    page,
  }) => {
    await page.route(/relogin-dialog.*\.js/, (route) => route.abort())
    await signIn(page, 'maintenance', '/ewph/fmreal')
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

test.describe('refresh', () => {
  test('§9 after 90 minutes the tokens are exchanged, once for all tabs', async ({ page, context }) => {
    await context.clock.install()
    const asked: string[] = []
    context.on('request', (request) => {
      if (/refreshToken|ReflushToken/.test(request.url())) asked.push(new URL(request.url()).pathname)
    })
    await enter(page, 'irrigation')
    const other = await context.newPage()
    await other.goto('/dashboard')
    await expect(other.getByTestId('user-menu')).toBeVisible()
    const before = [await readStored(page, 'heighten'), await readStored(page, 'heightenplus')]
    await context.clock.fastForward(91 * MINUTE_MS)
    await expect.poll(() => readStored(page, 'heightenplus')).not.toBe(before[1])
    await expect.poll(() => readStored(page, 'isotherm.refreshing')).toBeNull()
    expect(await readStored(page, 'heighten')).not.toBe(before[0])
    const now = z.number().parse(await page.evaluate('Date.now()'))
    expect(Number(await readStored(page, 'ExpiresAt'))).toBeGreaterThan(now + 119 * MINUTE_MS)
    await context.clock.fastForward(2 * MINUTE_MS)
    expect(asked).toEqual(['/usrCloud/user/refreshToken', '/ht-api/api/User/ReflushToken'])
  })

  test('S3: a refresh that the network stops is tried again until it works', async ({ page }) => {
    await page.clock.install()
    await enter(page, 'irrigation')
    const before = await readStored(page, 'heightenplus')
    let refused = 0
    await page.route('**/User/ReflushToken*', (route) => {
      refused += 1
      return route.abort()
    })
    await page.clock.fastForward(91 * MINUTE_MS)
    await expect.poll(() => refused).toBeGreaterThan(0)
    expect(await readStored(page, 'heightenplus')).toBe(before)
    await page.unroute('**/User/ReflushToken*')
    await expect.poll(() => readStored(page, 'isotherm.refreshing')).toBeNull()
    await page.clock.fastForward(MINUTE_MS)
    await expect.poll(() => readStored(page, 'heightenplus')).not.toBe(before)
  })
})

test.describe('a lost connection', () => {
  test.use({ role: 'dispatcher' })

  test('§8 error toasts of 5 s do not pile up', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await page.route(/\/(usrCloud|ht-api)\//, (route) => route.abort())
    const toasts = page.locator('.ant-message-error')
    for (const path of ['/ewph/fmhistory', '/ewph/fmcontrol', '/ewph/fmreal']) {
      await page.evaluate(
        `history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
      )
    }
    await expect(toasts.first()).toBeVisible()
    expect(await toasts.count()).toBeLessThanOrEqual(2)
    await expect(toasts).toHaveCount(0, { timeout: 30_000 })
  })

  test('a banner says since when data are old, and all goes on by itself', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await page.route(/\/(usrCloud|ht-api)\//, (route) => route.abort())
    await page.evaluate(
      `history.pushState(null, '', '/ewph/fmcontrol'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await expect(page.getByTestId('live-lost')).toContainText(/数据停留在/, { timeout: 20_000 })
    await page.unroute(/\/(usrCloud|ht-api)\//)
    await expect(page.getByTestId('live-lost')).toHaveCount(0, { timeout: 20_000 })
    await expect(page.getByRole('main').locator('.state[role="alert"]')).toHaveCount(0)
  })
})
