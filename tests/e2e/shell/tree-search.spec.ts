import { expect, test } from '../support/test.ts'
import { openTree, row, treeOf } from '../support/tree.ts'

test.use({ role: 'administrator' })

test.describe('search', () => {
  test('filters the loaded nodes at once', async ({ page }) => {
    await openTree(page)
    await page.getByTestId('tree-search').fill('城西')
    await expect(row(page, '城西区域')).toBeVisible()
    await expect(row(page, '城东区域')).toHaveCount(0)
    await expect(row(page, '城西区域').locator('mark')).toHaveText('城西')
    await page.getByTestId('tree-search').fill('')
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('finds in the whole company and reveals the hit with its ancestors, without loading the rest', async ({
    page,
  }) => {
    await openTree(page)
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.getByTestId('tree-search').fill('5-2-301')
    const hits = page.locator('.tree-hit')
    await expect(hits.nth(1)).toBeVisible()
    await expect(hits.nth(1)).toContainText('地址')
    await page.getByTestId('tree-search').press('ArrowDown')
    await page.keyboard.press('Enter')
    const household = treeOf(page).locator('[aria-selected="true"]')
    await expect(household.locator('.tree-label')).toHaveText('301')
    await expect(household).toBeInViewport()
    await expect(treeOf(page)).toBeFocused()
    await expect(page.getByTestId('tree-search')).toHaveValue('')
    expect(calls.filter((path) => /getDevGroups|queryProjectList/.test(path))).toEqual([])
    const rest = page.locator('[data-part="rest"]')
    await expect(rest).toHaveCount(1)
    await rest.click()
    await expect(rest).toHaveCount(0)
    await expect(household).toHaveAttribute('aria-selected', 'true')
    await expect(row(page, '测试用户')).toBeVisible()
  })

  test('pinyin initials find too', async ({ page }) => {
    await openTree(page)
    await page.getByTestId('tree-search').fill('dyxq')
    await expect(page.locator('.tree-hit').first()).toContainText('东苑小区')
    await expect(page.locator('.tree-hit').first()).toContainText('拼音')
  })
})
