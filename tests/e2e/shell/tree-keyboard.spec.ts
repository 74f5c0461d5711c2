import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { openTree, row, treeOf } from '../support/tree.ts'

test.use({ role: 'administrator' })

test.describe('keyboard', () => {
  const focused = (page: Page) =>
    page.evaluate(
      'document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.querySelector(".tree-label")?.textContent',
    )

  test('the tree is one tab stop with the keys of the ARIA tree pattern', async ({ page }) => {
    await openTree(page)
    await treeOf(page).focus()
    await expect.poll(() => focused(page)).toBe('二网监控平台')
    await page.keyboard.press('End')
    await expect.poll(() => focused(page)).toBe('城西区域')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => focused(page)).toBe('和源城区供热公司')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect(row(page, '城东区域')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused(page)).toBe('东苑换热站')
    await page.keyboard.press('*')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('Space')
    await expect(row(page, '东苑换热站')).toHaveAttribute('aria-checked', 'true')
    await page.keyboard.press('Enter')
    await expect(row(page, '东苑换热站')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Home')
    await expect.poll(() => focused(page)).toBe('二网监控平台')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-setsize', '2')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-posinset', '2')
    await expect(row(page, '文化路换热站')).toHaveAttribute('aria-level', '5')
  })

  test('a click leaves the focus with the tree: keys go on after the row was scrolled away', async ({
    page,
  }) => {
    await openTree(page)
    await row(page, '城东区域').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '展开全部下级' }).click()
    await expect(row(page, '101').first()).toBeVisible()
    await row(page, '东苑换热站').locator('.tree-label').click()
    await expect(treeOf(page)).toBeFocused()
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('PageDown')
    await expect(row(page, '东苑换热站')).toHaveCount(0)
    await expect(treeOf(page)).toBeFocused()
    await page.keyboard.press('Home')
    await expect.poll(() => focused(page)).toBe('二网监控平台')
  })

  test('a revealed row takes the focus once, not whenever the list is shown anew', async ({ page }) => {
    await openTree(page)
    await page.getByTestId('tree-search').fill('5-2-301')
    await page.locator('.tree-hit').first().click()
    await expect(treeOf(page)).toBeFocused()
    await page.getByTestId('tree-search').click()
    await page.keyboard.type('zzz')
    await expect(treeOf(page)).toHaveCount(0)
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Backspace')
    await expect(treeOf(page)).toBeVisible()
    await expect(page.getByTestId('tree-search')).toBeFocused()
  })

  test('Shift+F10 opens the menu of the row, Escape gives the focus back', async ({ page }) => {
    await openTree(page)
    await treeOf(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu').filter({ hasText: '仅勾选此节点' })
    await expect(menu).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(treeOf(page)).toBeFocused()
  })
})
