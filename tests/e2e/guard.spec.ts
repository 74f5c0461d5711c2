import type { BrowserContext, Frame, Page } from '@playwright/test'
import { z } from 'zod'
import { DEMO_PASSWORD } from './support/accounts.ts'
import { findBarriers } from './support/axe.ts'
import { openByPalette } from './support/shell.ts'
import { enter, expect, fillLogin, test } from './support/test.ts'

const MODULES = '**/Module/GetAllModulesU'

const answer = z
  .object({ data: z.object({ data: z.array(z.object({ url: z.string() }).loose()) }).loose() })
  .loose()

/** Lets the server answer, but with these modules only. */
async function permitOnly(page: Page, urls: readonly string[]): Promise<void> {
  await page.route(MODULES, async (route) => {
    const response = await route.fetch()
    const body = answer.parse(await response.json())
    const data = body.data.data.filter(({ url }) => urls.includes(url))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, data } } })
  })
}

const toAddress = (page: Page): string => {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname}${search}${hash}`
}

const expectAddress = (page: Page, address: string) =>
  expect.poll(() => toAddress(page), { message: `address ${address}` }).toBe(address)

const findToken = (page: Page) =>
  page.evaluate('localStorage.getItem("heighten") ?? localStorage.getItem("heightenplus")')

/** What the server says of a first-backend token. */
async function findStatus(page: Page, token: unknown): Promise<unknown> {
  const response = await page.request.post('/usrCloud/user/getUser', {
    headers: { token: String(token) },
    data: {},
  })
  return z.object({ status: z.unknown() }).parse(await response.json()).status
}

/** What another tab does when its user logs out. */
async function endInAnotherTab(context: BrowserContext): Promise<void> {
  const other = await context.newPage()
  await other.goto('/404')
  await other.evaluate('localStorage.removeItem("heightenplus"); localStorage.removeItem("heighten")')
  await other.close()
}

test.describe('signed out', () => {
  test('§2 any other path goes to /login?redirect={path}, and back with query and hash', async ({ page }) => {
    await page.goto('/ewph/fmhistory?range=15m#chart')
    await expectAddress(page, '/login?redirect=%2Fewph%2Ffmhistory%3Frange%3D15m%23chart')
    await fillLogin(page, 'viewer')
    await expectAddress(page, '/ewph/fmhistory?range=15m#chart')
  })

  for (const target of [
    '//example.org/x',
    '/\\example.org/x',
    'https://example.org/',
    'javascript:alert(1)',
  ]) {
    test(`the way back never leaves the console: ${target}`, async ({ page }) => {
      await page.goto(`/login?redirect=${encodeURIComponent(target)}`)
      await fillLogin(page, 'viewer')
      await expectAddress(page, '/dashboard')
    })
  }

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
    await expect(page.getByRole('menuitem', { name: '阀门实时监控' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: '阀门控制管理' })).toHaveCount(0)
  })
})

test.describe('when the permitted modules cannot be asked for', () => {
  test('nothing is cleared, and the console comes by itself once the server is back', async ({ page }) => {
    await enter(page, 'viewer', '/ewph/fmreal')
    await page.route(MODULES, (route) => route.abort())
    await page.reload()
    await expect(page.getByTestId('retry-page')).toBeVisible()
    expect(await findBarriers(page)).toEqual([])
    expect(await findToken(page)).not.toBeNull()
    await expectAddress(page, '/ewph/fmreal')
    await page.unroute(MODULES)
    await expect(page.getByTestId('tab-/ewph/fmreal')).toBeVisible({ timeout: 20_000 })
  })

  for (const [what, answer] of [
    [
      'a gateway with a JSON of its own',
      { status: 503, json: { statusCode: 503, error: 'Service Unavailable' } },
    ],
    ['the login page of a network', { status: 200, contentType: 'text/html', body: '<html>Welcome</html>' }],
  ] as const) {
    test(`${what} in place of the server clears nothing`, async ({ page }) => {
      await enter(page, 'viewer', '/ewph/fmreal')
      await page.route(MODULES, (route) => route.fulfill(answer))
      await page.reload()
      await expect(page.getByTestId('retry-page')).toBeVisible()
      await expectAddress(page, '/ewph/fmreal')
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
    ['en-GB', 'The server cannot be reached now'],
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

test.describe('signed in', () => {
  test.use({ role: 'viewer' })

  test('§2 both tokens exist and the target is /login: redirect to /, which leads to /dashboard', async ({
    page,
  }) => {
    await page.goto('/login?redirect=%2Fewph%2Ffmreal')
    await expectAddress(page, '/dashboard')
    await page.goto('/')
    await expectAddress(page, '/dashboard')
  })

  for (const address of ['/LOGIN', '/login/', '/%6Cogin'])
    test(`§2 both tokens exist and the target is /login, written ${address}: redirect to /`, async ({
      page,
    }) => {
      await page.goto(address)
      await expectAddress(page, '/dashboard')
    })

  test('§2 a page has one address, however it is written: its tab, title and tree are there', async ({
    page,
  }) => {
    await page.goto('/EWPH/fmreal/?sort=-flowM3h#row')
    await expectAddress(page, '/ewph/fmreal?sort=-flowM3h#row')
    await expect(page.getByTestId('tab-/ewph/fmreal')).toBeVisible()
    await expect(page.getByRole('tree')).toBeVisible()
    await expect(page).toHaveTitle(/^阀门实时监控/)
  })

  test('§2 The root / redirects to /dashboard (title Home, no permission value)', async ({ page }) => {
    await permitOnly(page, [])
    await page.goto('/')
    await expectAddress(page, '/dashboard')
    await expect(page).toHaveTitle(/^首页 - /)
    await expect(page.locator('.crumbs li')).toHaveText(['首页'])
  })

  test('§2 Modules are matched to routes by the url carried in each module item', async ({ page }) => {
    await page.route(MODULES, async (route) => {
      const response = await route.fetch()
      const body = answer.parse(await response.json())
      // Names and ids of other modules: only the url counts.
      const data = ['pewph', 'pe-fmhistory'].map((url, index) => ({
        ...{ id: 900 + index, parentId: null, name: 'pe-fmcontrol', icon: '', sort: 1, enabled: true },
        url,
      }))
      await route.fulfill({ response, json: { ...body, data: { ...body.data, data } } })
    })
    await page.goto('/ewph/fmhistory')
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toBeVisible()
    await page.goto('/ewph/fmcontrol')
    await expectAddress(page, '/404')
  })

  test('username and password of a query are dropped: a link cannot change who sits there', async ({
    page,
  }) => {
    await page.goto('/ewph/fmreal?username=admin&password=x&sort=flow')
    await expectAddress(page, '/ewph/fmreal?sort=flow')
    await expect(page.getByTestId('user-menu')).toBeVisible()
  })

  test('§2 catch-all redirect to /404, which names what was asked', async ({ page }) => {
    await page.goto('/no/such/page?x=1')
    await expectAddress(page, '/404')
    await expect(page.getByText('没有这个页面')).toBeVisible()
    await expect(page.getByText('您要打开的是 /no/such/page')).toBeVisible()
    await page.getByRole('button', { name: '返回首页' }).click()
    await expectAddress(page, '/dashboard')
  })

  test('§2 a page that is not permitted is not there: /404 names the missing module', async ({ page }) => {
    await page.goto('/ewph/fmcontrol')
    await expectAddress(page, '/404')
    await expect(page.getByTestId('lacking-module')).toContainText('阀门控制管理')
    await expect(page.getByTestId('lacking-module')).toContainText('管理员')
  })

  test('§2 default: a parent leads to its default child, or to the first permitted one', async ({ page }) => {
    await page.goto('about:blank')
    await page.goto('/ewph')
    await expectAddress(page, '/ewph/fmreal')
    await page.goBack()
    expect(page.url(), 'going back is not led here again').toBe('about:blank')
    await permitOnly(page, ['pewph', 'pe-fmhistory'])
    await page.goto('/ewph')
    await expectAddress(page, '/ewph/fmhistory')
    await page.unroute(MODULES)
    await permitOnly(page, [])
    await page.goto('/ewph')
    await expectAddress(page, '/404')
    // A group of which nothing is permitted is not in the menu.
    await expect(page.locator('.top-bar').getByRole('menuitem', { name: '首页' })).toBeVisible()
    await expect(page.locator('.top-bar').getByText('灌溉监控')).toHaveCount(0)
  })

  test('§2 refreshing goes through /redirect{fullPath}, with query and hash', async ({ page }) => {
    await page.goto('/redirect/ewph/fmhistory?range=15m#chart')
    await expectAddress(page, '/ewph/fmhistory?range=15m#chart')
    await page.goto('/redirect//example.org/x')
    await expectAddress(page, '/dashboard')
  })

  test('§2 scroll returns to the top on navigation', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 300 })
    await page.goto('/dashboard')
    const scrolled = () => page.evaluate('document.querySelector("main").scrollTop')
    await expect(page.getByRole('main')).toContainText(/\S/)
    await expect
      .poll(async () => {
        await page.evaluate('document.querySelector("main").scrollTo(0, 200)')
        return scrolled()
      })
      .toBeGreaterThan(50)
    await page.evaluate('window.stillTheSameDocument = true')
    await openByPalette(page, '/ewph/fmreal')
    await expect.poll(scrolled).toBe(0)
    await page.evaluate('document.querySelector("main").scrollTo(0, 200)')
    await page.getByTestId('tab-/dashboard').getByRole('link').click()
    await expectAddress(page, '/dashboard')
    await expect.poll(scrolled).toBe(0)
    expect(await page.evaluate('window.stillTheSameDocument')).toBe(true)
  })

  test('§2 pages load lazily: what is not opened is not fetched', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto('/dashboard')
    await expect(page.getByTestId('tab-/dashboard')).toBeVisible()
    expect(scripts.filter((url) => url.includes('fmhistory-page'))).toEqual([])
    await page.goto('/ewph/fmhistory')
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toBeVisible()
    await expect.poll(() => scripts.some((url) => url.includes('fmhistory-page'))).toBe(true)
  })

  test.describe('in English on a phone', () => {
    test.use({ locale: 'en-GB', viewport: { width: 390, height: 844 } })

    test('/404 names the missing module and fits', async ({ page }) => {
      await page.goto('/ewph/fmcontrol')
      await expect(page.getByTestId('lacking-module')).toContainText('Valve control')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    })
  })
})

test.describe('§2 /loginiframe (login for embedding)', () => {
  const query = (password: string, redirect = '/ewph/fmreal?sort=flow') =>
    `/loginiframe?${new URLSearchParams({ username: 'viewer', password, redirect, loginSrcId: '7' })}`

  test('signs in from the query, goes to its redirect and leaves no password behind', async ({ page }) => {
    await page.goto(query(DEMO_PASSWORD))
    await expectAddress(page, '/ewph/fmreal?sort=flow')
    expect(await page.evaluate('localStorage.getItem("loginSrcId")')).toBe('7')
    await page.goBack()
    expect(page.url()).not.toContain(DEMO_PASSWORD)
  })

  test('shows the form with the reason when that fails', async ({ page }) => {
    await page.goto(query('wrong', '/dashboard'))
    await expect(page.getByTestId('login-error')).toContainText('viewer 失败原因：账号或密码错误')
    await expect(page.locator('input[autocomplete="username"]')).toHaveValue('viewer')
    await expectAddress(page, '/loginiframe?redirect=%2Fdashboard&loginSrcId=7')
    expect(await findBarriers(page)).toEqual([])
  })

  test('as a link, in a window of its own, it changes nobody’s session', async ({ page }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    await page.goto(query(DEMO_PASSWORD))
    await expectAddress(page, '/loginiframe?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow&loginSrcId=7')
    await expect(page.locator('input[type="password"]')).toHaveValue('')
    expect(await findToken(page)).toBe(before)
    expect(await findStatus(page, before)).toBe(0)
  })

  /** A portal that the server's setting lets embed the console: the page around it, and the frame. */
  async function openPortal(page: Page, address: string): Promise<Frame> {
    await page.route('**/loginiframe?*', async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _csp, 'x-frame-options': _deny, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.route('**/portal', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe name="console" width="1200" height="700" src="${address.replaceAll('&', '&amp;')}"></iframe>`,
      }),
    )
    await page.goto('/portal')
    const frame = page.frame('console')
    if (!frame) throw new Error('the portal has its frame')
    return frame
  }

  test('in a frame the portal says who sits there: the session of whoever sat there before ends', async ({
    page,
  }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    const frame = await openPortal(page, query(DEMO_PASSWORD))
    await expect(frame.getByTestId('user-menu')).toBeVisible()
    await expect
      .poll(() => new URL(frame.url()).pathname + new URL(frame.url()).search)
      .toBe('/ewph/fmreal?sort=flow')
    expect(await findToken(page)).not.toBe(before)
    await expect.poll(() => findStatus(page, before)).toBe(11)
  })

  test('in a frame a login that fails ends no session', async ({ page }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    const frame = await openPortal(page, query('wrong'))
    await expect(frame.getByTestId('login-error')).toBeVisible()
    expect(await findToken(page)).toBe(before)
    expect(await findStatus(page, before)).toBe(0)
  })
})
