import { expect, test } from './support/test.ts'

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
