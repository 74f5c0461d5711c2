import { expect, fillLogin, signIn, test } from './support/test.ts'

test.describe('guard', () => {
  test('whoever is not signed in is led to the login and back to where they wanted to go', async ({
    page,
  }) => {
    await signIn(page, 'viewer', '/ewph/fmhistory')
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toBeVisible()
  })

  test('the way back never leaves the console', async ({ page }) => {
    await page.goto('/login?redirect=//example.org/x')
    await fillLogin(page, 'viewer')
    await expect(page).toHaveURL(
      (url) => url.host === new URL(page.url()).host && url.pathname === '/dashboard',
    )
  })

  test('when the permitted modules cannot be had, the session ends with a word', async ({ page }) => {
    await page.route('**/Module/GetAllModulesU', (route) =>
      route.fulfill({ json: { message: 'failed', status: '500', data: null } }),
    )
    await page.goto('/ewph/fmreal')
    await fillLogin(page, 'viewer')
    await expect(page.getByText('用户权限有问题')).toBeVisible()
    await expect(page).toHaveURL(/\/login\?redirect=/)
    expect(
      await page.evaluate('localStorage.getItem("heighten") ?? localStorage.getItem("heightenplus")'),
    ).toBeNull()
  })

  test.describe('signed in', () => {
    test.use({ role: 'viewer' })

    test('the login leads to the start', async ({ page }) => {
      await page.goto('/login')
      await expect(page).toHaveURL(/\/dashboard$/)
    })

    test('an unknown address leads to /404', async ({ page }) => {
      await page.goto('/no/such/page')
      await expect(page).toHaveURL(/\/404$/)
    })
  })
})

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

  test('a wrong password is said, without saying whether the account exists', async ({ page }) => {
    await page.goto('/login')
    await fillLogin(page, 'nobody-of-that-name', 'not the password')
    await expect(page.getByTestId('login-error')).toContainText('账号或密码错误')
  })

  test('the account is trimmed and the password never leaves the browser', async ({ page }) => {
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    await page.goto('/login')
    await fillLogin(page, '  service ')
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(bodies.some((body) => body.includes('"service"'))).toBe(true)
    expect(bodies.filter((body) => body.includes('isotherm-demo'))).toEqual([])
  })

  test('logging out ends the session and leads to the login', async ({ page }) => {
    await signIn(page, 'irrigation')
    const token = await page.evaluate('localStorage.getItem("heightenplus")')
    await page.getByTestId('user-menu').click()
    await page.getByText('注销', { exact: true }).click()
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === '/login?redirect=%2F')
    const answer = await page.request.post('/ht-api/api/Module/GetAllModulesU', {
      headers: { authorization: `Bearer ${token}` },
      data: {},
    })
    expect(await answer.json()).toMatchObject({ code: expect.stringMatching(/^session\./) })
  })
})

test.describe('frame', () => {
  test.use({ role: 'dispatcher' })

  test('title, brand, demo badge and measures are those of the specification', async ({ page }) => {
    await page.goto('/ewph/fmreal')
    await expect(page).toHaveTitle(/二网平衡系统/)
    await expect(page.getByText('二网平衡监控系统')).toBeVisible()
    await expect(page.getByTestId('demo-badge')).toContainText('×60')
    const sizes = { '.top-bar': 60, '.navbar': 50, '.tabs': 34 }
    for (const [selector, height] of Object.entries(sizes)) {
      expect((await page.locator(selector).boundingBox())?.height, selector).toBe(height)
    }
    expect((await page.locator('.side').boundingBox())?.width).toBe(280)
    await page.getByTestId('sidebar-toggle').click()
    await expect.poll(async () => (await page.locator('.side').boundingBox())?.width).toBe(54)
  })

  test('visited pages are tabs that close, the first stays', async ({ page }) => {
    await page.goto('/dashboard')
    await page.goto('/ewph/fmreal')
    const dashboard = page.getByTestId('tab-/dashboard')
    const real = page.getByTestId('tab-/ewph/fmreal')
    await expect(dashboard.getByRole('button')).toHaveCount(0)
    await real.getByRole('button').click()
    await expect(real).toHaveCount(0)
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('a tab is refreshed, closed with the others and closed by its menu', async ({ page }) => {
    await page.goto('/ewph/fmreal')
    await page.evaluate('window.stillTheSameDocument = true')
    await page.locator('.ant-menu-submenu-title').first().hover()
    await page.getByRole('menuitem', { name: '阀门历史数据' }).click()
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
    // The menu stays open as long as the pointer is over it.
    await page.getByRole('main').hover()
    await expect(page.getByRole('menuitem', { name: '阀门历史数据' })).toBeHidden()
    const menuOf = (path: string) => page.getByTestId(`tab-${path}`).click({ button: 'right' })
    await menuOf('/ewph/fmreal')
    await page.getByRole('menuitem', { name: '刷新' }).click()
    await expect(page).toHaveURL(/\/ewph\/fmreal$/)
    await menuOf('/ewph/fmreal')
    await page.getByRole('menuitem', { name: '关闭其他' }).click()
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toHaveCount(0)
    await menuOf('/ewph/fmreal')
    await page.getByRole('menuitem', { name: '关闭全部' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await page.evaluate('window.stillTheSameDocument')).toBe(true)
  })

  test('the language changes at once and is remembered', async ({ page }) => {
    await page.goto('/ewph/fmreal')
    await page.getByTestId('language').click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
  })

  test('the theme changes at once and is remembered', async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByTestId('theme').click()
    await page.getByRole('menuitem', { name: '深色' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

test.describe('on a phone', () => {
  test.use({ role: 'dispatcher', viewport: { width: 390, height: 844 }, hasTouch: true })

  for (const path of ['/dashboard', '/ewph/fmreal', '/ewph/fmhistory', '/ewph/fmcontrol']) {
    test(`${path} is not wider than the screen`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.locator('main .state[role="status"]')).toHaveCount(0)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    })
  }

  test('tree and menu are drawers', async ({ page }) => {
    await page.goto('/ewph/fmreal')
    await expect(page.getByRole('tree')).toHaveCount(0)
    await page.getByTestId('sidebar-toggle').click()
    await expect(page.getByRole('tree')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByTestId('menu-open').click()
    await page.getByRole('menuitem', { name: '阀门控制管理' }).click()
    await expect(page).toHaveURL(/\/ewph\/fmcontrol$/)
  })
})
