import { expectAddress, MODULES, modulesAnswer, permitOnly } from '../support/guard.ts'
import { goWithin, openByPalette } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

test.describe('signed in', () => {
  test.use({ role: 'viewer' })

  test('§2 both tokens exist and the target is /login: redirect to /, which leads to /dashboard', async ({
    page,
  }) => {
    await page.goto('/login?redirect=%2Fewph%2Ffmreal')
    await expectAddress(page, '/dashboard')
  })

  // However else it may be written stands in the guard's own tests.
  test('§2 both tokens exist and the target is /login, written /%6Cogin: redirect to /', async ({ page }) => {
    await page.goto('/%6Cogin')
    await expectAddress(page, '/dashboard')
  })

  test('§2 a page has one address, however it is written: its tab, title and tree are there', async ({
    page,
  }) => {
    await page.goto('/EWPH/fmreal/?sort=-flowM3h#row')
    await expectAddress(page, '/ewph/fmreal?sort=-flowM3h#row')
    await expect(page.getByTestId('tab-/ewph/fmreal')).toBeVisible()
    await expect(page.getByRole('tree')).toBeVisible()
    await expect(page).toHaveTitle(/^阀门实时监测/)
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
      const body = modulesAnswer.parse(await response.json())
      // Names and ids of other modules: only the url counts.
      const data = ['pewph', 'pe-fmhistory'].map((url, index) => ({
        id: 900 + index,
        parentId: null,
        name: 'pe-fmcontrol',
        icon: '',
        sort: 1,
        enabled: true,
        url,
      }))
      await route.fulfill({ response, json: { ...body, data: { ...body.data, data } } })
    })
    await page.goto('/ewph/fmhistory')
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toBeVisible()
    await goWithin(page, '/ewph/fmcontrol')
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
    await page.goto('/redirect//example.org/x')
    await expectAddress(page, '/dashboard')
    await goWithin(page, '/redirect/ewph/fmhistory?range=15m#chart')
    await expectAddress(page, '/ewph/fmhistory?range=15m#chart')
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
    await goWithin(page, '/ewph/fmhistory')
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
