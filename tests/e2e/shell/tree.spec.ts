import type { Page } from '@playwright/test'
import { z } from 'zod'
import { findAccessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'
import { box, expand, openTree, row, TREE_PAGE, treeOf, VALVES_PAGE, valveRows } from '../support/tree.ts'

test.use({ role: 'administrator' })

// Everything that a light DOM can prove is tested in apps/console/src/features/network (docs/performance/browser-tests-tree.md).

/** The counts of the rows form one column at the right. */
async function expectOneColumn(page: Page): Promise<void> {
  await expect(treeOf(page).locator('.tree-count').nth(5)).toBeVisible()
  const rights = await treeOf(page)
    .locator('.tree-row:not(:hover) .tree-count')
    .evaluateAll((counts) => counts.map((count) => Math.round(count.getBoundingClientRect().right)))
  expect(new Set(rights).size).toBe(1)
}

/** A long press opens the menu of a node. */
async function pressLong(page: Page): Promise<void> {
  const place = { pointerType: 'touch', clientX: 120, clientY: 300, bubbles: true }
  await row(page, '城东区域').dispatchEvent('pointerdown', place)
  const menu = page.getByRole('menu').filter({ hasText: /仅勾选|Check only/ })
  await expect(menu).toBeInViewport()
  await row(page, '城东区域').dispatchEvent('pointerup', place)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
}

/** The button of the menu is completely visible. */
async function expectMenuButton(page: Page): Promise<void> {
  await row(page, '东苑小区').hover()
  const more = row(page, '东苑小区').locator('.tree-more')
  await expect(more).toBeInViewport({ ratio: 1 })
  expect((await more.boundingBox())?.width).toBe(22)
}

async function expectNoOverlap(page: Page): Promise<void> {
  const overlaps = await treeOf(page).evaluate(
    (tree) =>
      [...tree.querySelectorAll('[role="treeitem"]')].filter((item) => {
        const parts = [...item.children]
          .map((part) => part.getBoundingClientRect())
          .filter(({ width }) => width > 0)
        return parts.some((part, index) => index > 0 && part.left < (parts[index - 1]?.right ?? 0) - 0.5)
      }).length,
  )
  expect(overlaps).toBe(0)
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test.describe(`${viewport.width}×${viewport.height}`, () => {
    const isPhone = viewport.width < 992
    test.use({ viewport, hasTouch: isPhone })

    /** Changes the language within the document; on a phone the tree is a drawer over the menu. */
    async function changeLanguage(page: Page, name: string, language: RegExp): Promise<void> {
      if (isPhone) await page.locator('.ant-drawer-mask').click({ position: { x: 370, y: 400 } })
      await expect(page.locator('.ant-drawer-mask:visible')).toHaveCount(0)
      await page.getByTestId('language').click()
      await page.getByRole('menuitem', { name }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      if (isPhone) await page.getByTestId('sidebar-toggle').click()
    }

    test('in both languages the tree opens and finds without an accessibility violation or a console message, and no parts of a row overlap', async ({
      page,
      errors,
    }) => {
      await page.goto(TREE_PAGE)
      if (isPhone) await page.getByTestId('sidebar-toggle').click()
      await expect(row(page, '城东区域')).toBeVisible()
      await expand(page, '城东区域', '东苑换热站', '东苑小区')
      const lookAtRows = async () => {
        await expectOneColumn(page)
        await (isPhone ? pressLong(page) : expectMenuButton(page))
        await expand(page, '一号楼', '1单元')
        await expectNoOverlap(page)
      }
      const selected = treeOf(page).locator('[aria-selected="true"]')
      await test.step('rows in Chinese', lookAtRows)
      await changeLanguage(page, 'English', /^en/)
      await test.step('rows in English', lookAtRows)

      await test.step('finds a household and scrolls to it, without an accessibility violation', async () => {
        await box(row(page, '一号楼')).click()
        await page.getByTestId('tree-search').fill('5-2-301')
        await expect(page.locator('.tree-hit').first()).toBeVisible()
        await page.locator('.tree-hit').first().click()
        await expect(selected).toBeInViewport()
        expect(await findAccessibilityViolations(page, '.tree-panel')).toEqual([])
      })

      await test.step('the same in Chinese', async () => {
        await changeLanguage(page, '中文', /^zh/)
        await expect(selected).toBeVisible()
        expect(await findAccessibilityViolations(page, '.tree-panel')).toEqual([])
      })
      expect(errors).toEqual([])
    })
  })

test('an operator checks buildings with the mouse, reloads the page, and goes on with the keyboard', async ({
  page,
}) => {
  await openTree(page, VALVES_PAGE)
  await test.step('the page shows the valves of the checked buildings', async () => {
    await expect(valveRows(page).nth(5)).toBeVisible()
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await box(row(page, '二号楼').first()).click()
    await expect.poll(() => valveRows(page).count()).toBe(6)
  })

  await test.step('a reload of the page restores checks and expansion', async () => {
    await page.reload()
    await expect(row(page, '一号楼')).toHaveAttribute('aria-checked', 'true')
    await expect(row(page, '东苑小区')).toHaveAttribute('aria-expanded', 'true')
    await expect.poll(() => valveRows(page).count()).toBe(6)
  })

  const focused = () =>
    page.evaluate(
      'document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.querySelector(".tree-label")?.textContent',
    )
  await test.step('a click leaves the focus with the tree: keys go on after the row was scrolled away', async () => {
    await row(page, '城东区域').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '展开全部下级' }).click()
    await expect(row(page, '101').first()).toBeVisible()
    await row(page, '东苑换热站').locator('.tree-label').click()
    await expect(treeOf(page)).toBeFocused()
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('PageDown')
    await expect(row(page, '东苑换热站')).toHaveCount(0)
    await expect(treeOf(page)).toBeFocused()
    await page.keyboard.press('Home')
    await expect.poll(focused).toBe('二网监控平台')
    await expect(row(page, '二网监控平台')).toBeInViewport()
  })

  await test.step('Shift+F10 opens the menu of the row, Escape returns the focus', async () => {
    await page.keyboard.press('End')
    await expect.poll(focused).toBe('和源苗圃')
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu').filter({ hasText: '仅勾选此节点' })
    await expect(menu).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(treeOf(page)).toBeFocused()
  })
})

test('a million rows scroll to the last one and by the wheel to the next', async ({ page }) => {
  test.setTimeout(180_000)
  const users = Array.from({ length: 500 }, (_, user) => ({
    uuid: `00000000-0000-4000-8000-${String(user).padStart(12, '0')}`,
    name: `${user + 1}号楼`,
    puuids: '',
    addrlist: Array.from({ length: 2_000 }, (_, index) => `${100_000 + index}`),
    info: { pids: '', url: '' },
    version: 1,
    abilities: [],
  }))
  const pids = z.object({ filter: z.array(z.object({ vrex: z.string().optional() })) })
  await page.route('**/CtlDev/GetVauser', async (route) => {
    const chain = pids.parse(route.request().postDataJSON()).filter[0]?.vrex?.replace(/^\^|\(,\|\$\)$/g, '')
    const datalist = users.map((user) => ({ ...user, info: { pids: `${chain},3,7,8`, url: '' } }))
    await route.fulfill({ json: { message: 'success', status: '200', data: { datalist, total: 500 } } })
  })
  await openTree(page)
  await row(page, '城东区域').click({ button: 'right' })
  await page.getByRole('menuitem', { name: '展开全部下级' }).click()
  await expect(row(page, '100000').first()).toBeVisible({ timeout: 90_000 })
  await treeOf(page).focus()
  await page.keyboard.press('End')
  await expect(treeOf(page).getByRole('treeitem').last()).toBeInViewport()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await expect(row(page, '二网监控平台')).toBeInViewport()
  await treeOf(page).hover()
  await page.mouse.wheel(0, 280)
  await expect(row(page, '二网监控平台')).not.toBeInViewport()
  await expect(row(page, '100003').first()).toBeInViewport()
})
