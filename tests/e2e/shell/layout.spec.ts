import type { Page } from '@playwright/test'
import { z } from 'zod'
import { findBarriers } from '../support/axe.ts'
import { getProductUrl } from '../support/product-url.ts'
import { goWithin, heightOf, openPalette, openThree, tab, widthOf } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

/** A page with tree and tabs, the quickest to open of those which have them. */
const PAGE = '/ewph/fmcontrol'

/** The tab in front stands in the strip with 4 px beside it, and the strip can be moved both ways. */
async function expectTabBeside(page: Page): Promise<void> {
  const strip = await page.locator('.tabs-strip').boundingBox()
  const active = await page.locator('.tab-active').boundingBox()
  if (!strip || !active) throw new Error('the strip and the tab in front have a place')
  expect(active.x - strip.x).toBeGreaterThanOrEqual(4)
  expect(strip.x + strip.width - active.x - active.width).toBeGreaterThanOrEqual(4)
  await expect(page.locator('.tabs-arrow')).toHaveCount(2)
}

/** The tree comes in a drawer, and goes when what is behind the drawer is clicked. */
async function openAndLeaveDrawer(page: Page): Promise<void> {
  await expect(page.getByRole('tree')).toHaveCount(0)
  await page.getByTestId('sidebar-toggle').click()
  await expect(page.getByRole('tree')).toBeVisible()
  await page.locator('.ant-drawer-mask').click({ position: { x: 370, y: 400 } })
  await expect(page.getByRole('tree')).toBeHidden()
}

test.describe('frame', () => {
  test.use({ role: 'dispatcher' })

  test('§9 Top bar: 60px. Header: 50px. Tags bar: 34px. Tree panel 280px, collapsed 54px; §2 it is found as it was left', async ({
    page,
  }) => {
    await page.goto(PAGE)
    await expect(page.locator('.tab')).toHaveCount(2)
    await expect.poll(() => heightOf(page, '.top-bar')).toBe(60)
    await expect.poll(() => heightOf(page, '.navbar')).toBe(50)
    await expect.poll(() => heightOf(page, '.tabs')).toBe(34)
    await expect.poll(() => widthOf(page, '.side')).toBe(280)
    await page.getByTestId('sidebar-toggle').click()
    await expect.poll(() => widthOf(page, '.side')).toBe(54)
    await page.reload()
    await expect.poll(() => widthOf(page, '.side')).toBe(54)
    await page.getByTestId('sidebar-toggle').click()
    await expect.poll(() => widthOf(page, '.side')).toBe(280)
    // The edge of the panel is dragged.
    const edge = page.getByTestId('side-edge')
    await edge.hover()
    await page.mouse.down()
    await page.mouse.move(380, 400, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf(page, '.side')).toBe(380)
    await edge.press('ArrowRight')
    await expect(edge).toHaveAttribute('aria-valuenow', '396')
    await page.reload()
    await expect.poll(() => widthOf(page, '.side')).toBe(396)
    await edge.dblclick()
    await expect.poll(() => widthOf(page, '.side')).toBe(280)
    await page.setViewportSize({ width: 991, height: 800 })
    await expect(page.locator('.side')).toHaveCount(0)
    await page.setViewportSize({ width: 992, height: 800 })
    await expect.poll(() => widthOf(page, '.side')).toBe(280)
  })

  test('a page or the palette that cannot be loaded leaves the console as it is, and is loaded on the next try', async ({
    page,
  }) => {
    const file = /rtalarm-page-[^/]*\.js/
    await page.route(file, (route) => route.abort())
    await page.goto('/rtjc/rtalarm')
    const failed = page.getByRole('alert').filter({ hasText: '页面出错' })
    await expect(failed).toBeVisible()
    await page.unroute(file)
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await failed.getByRole('button', { name: '刷新此页' }).click()
    await expect(page.getByTestId('alarm-search')).toBeVisible()
    await expect(failed).toHaveCount(0)

    await page.route(/palette-(?!store)[^/]*\.js/, (route) => route.abort())
    await page.goto('/dashboard')
    await expect(page.getByTestId('palette-open')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByText('这一部分未能加载')).toBeVisible()
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await page.unroute(/palette-(?!store)[^/]*\.js/)
    await openPalette(page)
  })

  test('a language whose texts cannot be loaded is not chosen, and the user is told', async ({ page }) => {
    await page.route(/\/texts-en-[^/]*\.js/, (route) => route.abort())
    await page.goto('/dashboard')
    await page.getByTestId('language').click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.getByText('该语言的文字未能加载')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
    await page.unroute(/\/texts-en-[^/]*\.js/)
    // A browser asks for a module that failed again only in a new document.
    await page.reload()
    await page.getByTestId('language').click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
  })

  test('§2 An icon is external if it starts with http: it is shown, or the page’s own where it may not be', async ({
    page,
  }) => {
    const modules = z.object({
      data: z.object({ data: z.array(z.object({ url: z.string() }).loose()) }).loose(),
    })
    const icons: Readonly<Record<string, string>> = {
      'pe-fmreal': `${getProductUrl()}/favicon.svg`,
      'pe-fmhistory': 'https://icons.example.com/valve.svg',
    }
    await page.route('**/Module/GetAllModulesU', async (route) => {
      const response = await route.fetch()
      const body = modules.loose().parse(await response.json())
      const data = body.data.data.map((each) => ({ ...each, icon: icons[each.url] ?? each.icon }))
      await route.fulfill({ response, json: { ...body, data: { ...body.data, data } } })
    })
    await page.goto('/dashboard')
    await page.getByTestId('menu').getByText('灌溉监控').hover()
    const item = (name: string) => page.getByRole('menuitem', { name })
    const image = item('阀门实时监测').locator('img')
    await expect(image).toHaveAttribute('src', icons['pe-fmreal'] ?? '')
    await expect
      .poll(() => image.evaluate((element) => 'naturalWidth' in element && element.naturalWidth))
      .toBeGreaterThan(0)
    await expect(item('阀门历史数据').locator('img')).toHaveCount(0)
    await expect(item('阀门历史数据').locator('svg')).toBeVisible()
  })

  test('the theme changes at once, is remembered, and follows the system when it shall', async ({ page }) => {
    await page.goto('/dashboard')
    const html = page.locator('html')
    await page.getByTestId('theme').click()
    await page.getByRole('menuitem', { name: '深色' }).click()
    await expect(html).toHaveAttribute('data-theme', 'dark')
    await page.reload()
    await expect(html).toHaveAttribute('data-theme', 'dark')
    await page.getByTestId('theme').click()
    await page.getByRole('menuitem', { name: '跟随系统' }).click()
    await expect(html).toHaveAttribute('data-theme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(html).toHaveAttribute('data-theme', 'dark')
  })
})

for (const locale of ['zh-CN', 'en-GB']) {
  test.describe(`on a phone, ${locale}`, () => {
    test.use({ role: 'dispatcher', locale, viewport: { width: 390, height: 844 }, hasTouch: true })

    test('no page is wider than the screen; its tab is in view, the tree in a drawer; the palette fills it and has no serious barrier', async ({
      page,
    }) => {
      await page.goto('/dashboard')
      for (const path of ['/dashboard', '/ewph/fmreal', '/ewph/fmhistory', '/ewph/fmcontrol'])
        await test.step(path, async () => {
          await goWithin(page, path)
          await expect(tab(page, path).locator('[aria-current="page"]')).toBeAttached()
          await expect(page.getByRole('main')).toHaveText(/\S/, { useInnerText: true })
          await expect(page.locator('main .state[role="status"]:visible')).toHaveCount(0)
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
        })
      await expectTabBeside(page)
      await openAndLeaveDrawer(page)
      await page.getByTestId('palette-open').click()
      await expect(page.getByTestId('palette-input')).toBeFocused()
      await expect.poll(() => widthOf(page, '.palette-box')).toBe(390)
      expect(await findBarriers(page)).toEqual([])
    })
  })
}

test.describe('on a phone', () => {
  test.use({ role: 'dispatcher', viewport: { width: 390, height: 844 }, hasTouch: true })

  test('§9 Tab scroll padding: 4px: the tab in front is scrolled into view beside it; a drawer that cannot be loaded is loaded on the next click', async ({
    page,
  }) => {
    await page.route(/tree-drawer-[^/]*\.js/, (route) => route.abort())
    await openThree(page)
    await expectTabBeside(page)
    await tab(page, '/dashboard').getByRole('link').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.tabs-strip').evaluate((each) => each.scrollLeft)).toBeLessThan(10)
    await page.getByTestId('sidebar-toggle').click()
    await expect(page.locator('.ant-message-error')).toBeVisible()
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await page.unroute(/tree-drawer-[^/]*\.js/)
    await page.getByTestId('sidebar-toggle').click()
    await expect(page.getByRole('tree')).toBeVisible()
  })
})
