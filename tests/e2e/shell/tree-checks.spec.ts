import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { expect, fillLogin, test } from '../support/test.ts'
import {
  box,
  expand,
  failedAnswer,
  hearLive,
  openFirstBuilding,
  openTree,
  row,
  TREE_PAGE,
  treeOf,
  twist,
  VALVES_PAGE,
  valveRows,
} from '../support/tree.ts'

test.use({ role: 'administrator' })

test.describe('checks', () => {
  test('§4 Tree: checking a node also checks all its ancestors and all its descendants; unchecking its descendants', async ({
    page,
  }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站', '东苑小区', '一号楼')
    await box(row(page, '一号楼')).click()
    for (const name of ['一号楼', '1单元', '3单元']) {
      await expect(row(page, name).first()).toHaveAttribute('aria-checked', 'true')
    }
    for (const name of ['二网监控平台', '和源热力集团', '城东区域', '东苑小区']) {
      await expect(row(page, name)).toHaveAttribute('aria-checked', 'mixed')
    }
    await expect(row(page, '二号楼').first()).toHaveAttribute('aria-checked', 'false')
    await box(row(page, '一号楼')).click()
    await expect(row(page, '1单元').first()).toHaveAttribute('aria-checked', 'false')
    await expect(row(page, '东苑小区')).toHaveAttribute('aria-checked', 'mixed')
  })

  test('§4 Tree: about 0.4 s after a check change the checked nodes are published: pages show them', async ({
    page,
  }) => {
    await openTree(page, VALVES_PAGE)
    await expect(valveRows(page).nth(5)).toBeVisible()
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await box(row(page, '二号楼').first()).click()
    await expect.poll(() => valveRows(page).count()).toBe(6)
  })

  test('§4 Tree: clicking a node makes it current', async ({ page }) => {
    await openTree(page, VALVES_PAGE)
    const building = await openFirstBuilding(page)
    expect(building).toContain('楼')
    await expect(treeOf(page).locator('[aria-selected="true"]')).toHaveCount(1)
    await expect.poll(() => valveRows(page).count()).toBe(3)
  })

  test('§4 Tree: children of a checked parent are checked and expanded', async ({ page }) => {
    await openTree(page)
    await expand(page, '城东区域', '东苑换热站')
    await box(row(page, '东苑小区')).click()
    await twist(row(page, '东苑小区')).click()
    await expect(row(page, '1单元').first()).toHaveAttribute('aria-checked', 'true')
    await expect(row(page, '一号楼')).toHaveAttribute('aria-expanded', 'true')
  })

  test('a start that failed keeps nothing from being restored: what the user then does himself is there', async ({
    page,
  }) => {
    await page.route('**/dev/getDevGroups', (route) => route.fulfill(failedAnswer))
    const failed = page.waitForResponse('**/dev/getDevGroups')
    await page.goto(TREE_PAGE)
    await failed
    await expect(page.getByTestId('tree-reload').locator('.anticon-spin')).toHaveCount(0)
    await page.unroute('**/dev/getDevGroups')
    await twist(row(page, '和源热力集团')).click()
    await expand(page, '和源热力集团', '和源城区供热公司')
    await box(row(page, '城西区域')).click()
    await page.reload()
    await expect(row(page, '城西区域')).toHaveAttribute('aria-checked', 'true')
    await expect(row(page, '和源城区供热公司')).toHaveAttribute('aria-expanded', 'true')
  })

  test('a start cut short by leaving the page is made anew, not taken for a tree that was closed', async ({
    page,
  }) => {
    const groups = page.waitForRequest('**/dev/getDevGroups')
    await page.route('**/dev/getDevGroups', () => {})
    await page.goto(TREE_PAGE)
    await groups
    await page.unroute('**/dev/getDevGroups')
    await page.reload()
    await expect(row(page, '城东区域')).toBeVisible()
  })

  test('§4 Tree: checked and expanded nodes are restored after a reload, and nobody else sees them', async ({
    page,
  }) => {
    await openTree(page, VALVES_PAGE)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await page.reload()
    await expect(row(page, '一号楼')).toHaveAttribute('aria-checked', 'true')
    await expect(row(page, '东苑小区')).toHaveAttribute('aria-expanded', 'true')
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await expect(row(page, '十二号楼')).toBeVisible()

    await page.evaluate('localStorage.clear()')
    await page.goto('/login')
    await fillLogin(page, 'dispatcher')
    await expect(page).toHaveURL(/\/dashboard$/)
    await openTree(page)
    await expect(row(page, '城东区域')).toHaveAttribute('aria-checked', 'false')
    await expect(row(page, '一号楼')).toHaveCount(0)
  })
})

test.describe('what was selected is gone', () => {
  /** Takes one sub-user out of every list the server gives from now on. */
  async function removeUser(page: Page, name: string): Promise<void> {
    const users = z.object({ data: z.object({ datalist: z.array(z.looseObject({ name: z.string() })) }) })
    await page.route('**/CtlDev/GetVauser', async (route) => {
      const response = await route.fetch()
      const { data } = users.parse(await response.json())
      const datalist = data.datalist.filter((user) => user.name !== name)
      await route.fulfill({
        json: { message: 'success', status: '200', data: { datalist, total: datalist.length } },
      })
    })
  }

  for (const [way, select] of [
    ['checked', box],
    ['current', (of: Locator) => of],
  ] as const) {
    test(`when the only ${way} node leaves, pages show nothing and say so, until all is asked for`, async ({
      page,
    }) => {
      const say = await hearLive(page)
      await openTree(page, VALVES_PAGE)
      await expand(page, '城东区域', '东苑换热站', '东苑小区')
      await select(row(page, '一号楼')).click()
      await expect.poll(() => valveRows(page).count()).toBe(3)
      const area = await row(page, '东苑小区').getAttribute('data-testid')
      await removeUser(page, '一号楼')
      say({ type: 'structure', parents: [area?.replace('tree-node-', '')] })
      await expect(page.getByTestId('selection-gone')).toBeVisible()
      await expect(page.getByTestId('tree-selection')).toHaveText('所选节点已不存在')
      await expect(valveRows(page)).toHaveCount(0)
      await page.getByRole('button', { name: '显示全部' }).click()
      await expect(valveRows(page).nth(5)).toBeVisible()
    })
  }

  test('a checked node that left while the page was reloaded is not selected afterwards', async ({
    page,
  }) => {
    await openTree(page, VALVES_PAGE)
    await expand(page, '城东区域', '东苑换热站', '东苑小区')
    await box(row(page, '一号楼')).click()
    await expect.poll(() => valveRows(page).count()).toBe(3)
    await twist(row(page, '城东区域')).click()
    await expect.poll(() => page.evaluate('Object.values(sessionStorage).join()')).toContain('一号楼')
    await removeUser(page, '一号楼')
    await page.reload()
    await expect(page.getByTestId('selection-gone')).toBeVisible()
    await expect(row(page, '东苑换热站')).toHaveCount(0)
  })
})
