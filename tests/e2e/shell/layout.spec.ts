import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { findAccessibilityViolations } from '../support/axe.ts'
import { expectAddress, MODULES } from '../support/guard.ts'
import { getProductUrl } from '../support/product-url.ts'
import { closeAllTabs, goWithin, heightOf, openByPalette, tab, widthOf } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

/** The page with tree and tabs that opens fastest. */
const PAGE = '/ewph/fmcontrol'

/** Icons of modules by their url: one of this origin, and one that the security policy of the page blocks. */
const icons: Readonly<Record<string, string>> = {
  'pe-fmreal': `${getProductUrl()}/favicon.svg`,
  'pe-fmhistory': 'https://icons.example.com/valve.svg',
}

/** Sets the icons of the modules for later calls. */
async function sendIcons(page: Page): Promise<void> {
  const modules = z.object({
    data: z.object({ data: z.array(z.object({ url: z.string() }).loose()) }).loose(),
  })
  await page.route(MODULES, async (route) => {
    const response = await route.fetch()
    const body = modules.loose().parse(await response.json())
    const data = body.data.data.map((each) => ({ ...each, icon: icons[each.url] ?? each.icon }))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, data } } })
  })
}

test.use({ role: 'dispatcher' })

test('a dispatcher sees the bars of the frame in their sizes, moves the tree panel, and scrolls', async ({
  page,
}) => {
  await test.step('§9 Top bar: 60px. Header: 50px. Tags bar: 34px. Tree panel 280px, collapsed 54px; §2 it is found as it was left', async () => {
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
  })

  await test.step('the edge of the tree panel is dragged, and found where it was left', async () => {
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
  })

  await test.step('the panel leaves a screen narrower than 992 px, and comes back', async () => {
    await page.setViewportSize({ width: 991, height: 800 })
    await expect(page.locator('.side')).toHaveCount(0)
    await page.setViewportSize({ width: 992, height: 800 })
    await expect.poll(() => widthOf(page, '.side')).toBe(280)
  })

  await test.step('the keyboard reaches the tabs; the menu of one has no serious accessibility violation and gives the focus back', async () => {
    const link = (path: string) => page.locator(`[data-tab="${path}"]`)
    await link('/dashboard').focus()
    await page.keyboard.press('ArrowRight')
    await expect(link(PAGE)).toBeFocused()
    await page.keyboard.press('Shift+F10')
    const entry = page.getByRole('menuitem', { name: '关闭全部' })
    await expect(entry).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(entry).toBeHidden()
    await expect(link(PAGE)).toBeFocused()
  })

  await test.step('§2 scroll returns to the top on navigation', async () => {
    await page.setViewportSize({ width: 1440, height: 300 })
    const scrolled = () => page.evaluate('document.querySelector("main").scrollTop')
    const scrollDown = () =>
      expect
        .poll(async () => {
          await page.evaluate('document.querySelector("main").scrollTo(0, 200)')
          return scrolled()
        })
        .toBeGreaterThan(50)
    await tab(page, '/dashboard').getByRole('link').click()
    await expect(page.getByRole('main')).toContainText(/\S/)
    await scrollDown()
    await page.evaluate('window.stillTheSameDocument = true')
    await openByPalette(page, '/ewph/fmreal')
    await expect.poll(scrolled).toBe(0)
    await page.evaluate('document.querySelector("main").scrollTo(0, 200)')
    await tab(page, '/dashboard').getByRole('link').click()
    await expectAddress(page, '/dashboard')
    await expect.poll(scrolled).toBe(0)
    expect(await page.evaluate('window.stillTheSameDocument')).toBe(true)
  })

  await test.step('§2 An icon is external if it starts with http: it is shown, or the page’s own where it may not be', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await sendIcons(page)
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
})

/** Left edges of cells, px from that of the screen. */
const leftsOf = (cells: Locator): Promise<readonly number[]> =>
  cells.evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().left)))

test('a dispatcher goes through a list that is wider than its place by keyboard: each column stays below its heading', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 700 })
  await page.goto('/dev/fmdevmanager')
  const list = page.getByTestId('record-table')
  const rows = list.locator('.ant-table-row')
  const headings = list.locator('th')
  const cells = rows.first().locator('.ant-table-cell')
  const button = rows.first().locator('[data-testid^="record-"]')
  // Both at once: with new readings the table takes headings that moved alone back to its rows, out of view.
  const expectAligned = (shown: Locator) =>
    expect(async () => {
      expect(await leftsOf(headings)).toEqual(await leftsOf(cells))
      await expect(shown).toBeInViewport({ ratio: 0.9, timeout: 500 })
    }).toPass({ timeout: 30_000 })
  const expectFocus = async (control: Locator) => {
    await expect(control).toBeFocused()
    await expectAligned(control)
  }
  await expect(cells.first()).toBeInViewport()
  await expect(cells.last()).not.toBeInViewport()

  await test.step('through the headings to the last, and on to the first row', async () => {
    await expect(headings.last()).toHaveAttribute('tabindex', '0')
    const [first, ...others] = await list.locator('th[tabindex="0"]').all()
    await first?.focus()
    for (const heading of others) {
      await page.keyboard.press('Tab')
      await expectFocus(heading)
    }
    await expect(cells.first()).not.toBeInViewport()
    await page.keyboard.press('Tab')
    await expectFocus(rows.first().getByRole('checkbox'))
    await page.keyboard.press('Tab')
    await expectFocus(button)
  })

  await test.step('into the last column and back', async () => {
    await cells.last().evaluate((cell) => cell.setAttribute('tabindex', '0'))
    await page.keyboard.press('Tab')
    await expectFocus(cells.last())
    await expect(cells.first()).not.toBeInViewport()
    await page.keyboard.press('Shift+Tab')
    await expectFocus(button)
  })

  await test.step('a found text in the last column, and a wheel back to the first', async () => {
    await cells.last().evaluate((cell) => cell.scrollIntoView())
    await expectAligned(cells.last())
    await cells.last().hover()
    await page.mouse.wheel(-5_000, 0)
    await expectAligned(cells.first())
  })

  await test.step('down to a row that was not rendered', async () => {
    const first = (await button.getAttribute('data-testid')) ?? ''
    await button.focus()
    await expect
      .poll(
        async () => {
          await page.keyboard.press('Tab')
          await expect(list.locator('.ant-table-row :focus')).toBeInViewport({ ratio: 0.9 })
          return list.getByTestId(first).count()
        },
        { intervals: [0] },
      )
      .toBe(0)
    await expectAligned(list.locator('.ant-table-row :focus'))
  })
})

/** The front tab is inside the strip with 4 px beside it, and the strip can be scrolled both ways. */
async function expectTabBeside(page: Page): Promise<void> {
  const strip = await page.locator('.tabs-strip').boundingBox()
  const active = await page.locator('.tab-active').boundingBox()
  if (!strip || !active) throw new Error('the tab strip or the active tab is not visible')
  expect(active.x - strip.x).toBeGreaterThanOrEqual(4)
  expect(strip.x + strip.width - active.x - active.width).toBeGreaterThanOrEqual(4)
  await expect(page.locator('.tabs-arrow')).toHaveCount(2)
}

/** Opens the tree in a drawer, and closes it by a click beside the drawer. */
async function openAndLeaveDrawer(page: Page): Promise<void> {
  await page.getByTestId('sidebar-toggle').click()
  await expect(page.getByRole('tree')).toBeVisible()
  await page.locator('.ant-drawer-mask').click({ position: { x: 370, y: 400 } })
  await expect(page.getByRole('tree')).toBeHidden()
}

/** Opens pages one after the other within the document; none is wider than the screen. */
async function expectNarrowPages(page: Page): Promise<void> {
  for (const path of ['/dashboard', '/ewph/fmreal', '/ewph/fmhistory', '/ewph/fmcontrol']) {
    await goWithin(page, path)
    await expect(tab(page, path).locator('[aria-current="page"]')).toBeAttached()
    await expect(page.getByRole('main')).toHaveText(/\S/, { useInnerText: true })
    await expect(page.locator('main .state[role="status"]:visible')).toHaveCount(0)
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390)
  }
}

/** The palette fills the screen and has no serious accessibility violation. */
async function expectWholePalette(page: Page): Promise<void> {
  await page.getByTestId('palette-open').click()
  await expect(page.getByTestId('palette-input')).toBeFocused()
  await expect.poll(() => widthOf(page, '.palette-box')).toBe(390)
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a dispatcher reads the console in both languages: nothing is wider than the screen, tree and palette open over the page', async ({
    page,
  }) => {
    await page.goto('/dashboard')
    for (const [language, button] of [
      [/^zh/, 'English'],
      [/^en/, '中文'],
    ] as const)
      await test.step(String(language), async () => {
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expectNarrowPages(page)
        await expect(page.getByRole('tree')).toBeHidden()
        await expectTabBeside(page)
        await openAndLeaveDrawer(page)
        await expectWholePalette(page)
        await closeAllTabs(page)
        await page.getByTestId('language').click()
        await page.getByRole('menuitem', { name: button }).click()
      })

    await test.step('§9 Tab scroll padding: 4px: the tab in front is scrolled into view beside it', async () => {
      await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
      await expectNarrowPages(page)
      await expectTabBeside(page)
      await tab(page, '/dashboard').getByRole('link').focus()
      await page.keyboard.press('Enter')
      await expect
        .poll(() => page.locator('.tabs-strip').evaluate((each) => each.scrollLeft))
        .toBeLessThan(10)
    })
  })
})
