import { findBarriers } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'
import { box, expand, hearLive, openTree, row, TREE_PAGE, treeOf } from '../support/tree.ts'

test.use({ role: 'administrator' })

test('each row in view has a health dot with its count, in words too', async ({ page }) => {
  await openTree(page)
  const root = row(page, '二网监控平台')
  await expect(root.locator('.tree-count')).toHaveText(/^\d+$/)
  await expect(root.getByTestId('tree-dot')).toHaveText(/台设备/)
})

test('devices that moved with their node count there at once, not with the next question after 15 s', async ({
  page,
}) => {
  const say = await hearLive(page)
  await openTree(page)
  const count = row(page, '二网监控平台').locator('.tree-count')
  await expect(count).toHaveText(/^\d+$/)
  await page.route('**/Tree/GetNodeHealth', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(/"devCount":\d+/g, '"devCount":7')
    await route.fulfill({ response, body })
  })
  say({ type: 'structure', parents: ['1'] })
  await expect(count).toHaveText('7', { timeout: 5_000 })
})

test('a structure change by others appears by itself, and checks, expansion and focus stay', async ({
  page,
}) => {
  const say = await hearLive(page)
  await openTree(page)
  await expand(page, '城东区域', '东苑换热站')
  await box(row(page, '文化路换热站')).click()
  const asked: string[] = []
  await page.route('**/dev/getDevGroups', async (route) => {
    asked.push(route.request().postData() ?? '')
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('东苑小区', '东苑新区') })
  })
  const station = await row(page, '东苑换热站').getAttribute('data-testid')
  const key = station?.replace('tree-node-', '')
  say({ type: 'structure', parents: [key] })
  await expect(row(page, '东苑新区')).toBeVisible()
  await expect(row(page, '文化路换热站')).toHaveAttribute('aria-checked', 'true')
  await expect(row(page, '东苑换热站')).toHaveAttribute('aria-expanded', 'true')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain(`"id":${key}`)
})

for (const locale of ['zh-CN', 'en-GB'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test.describe(`${locale}, ${viewport.width}×${viewport.height}`, () => {
      const isPhone = viewport.width < 992
      test.use({ locale, viewport, hasTouch: isPhone })

      test('the tree opens and finds without a barrier or a word in the console, and nothing in it stands over something else', async ({
        page,
        errors,
      }) => {
        await page.goto(TREE_PAGE)
        if (isPhone) await page.getByTestId('sidebar-toggle').click()
        await expect(row(page, '城东区域')).toBeVisible()
        await expand(page, '城东区域', '东苑换热站', '东苑小区')

        await test.step('counts stand in one column at the right', async () => {
          await expect(treeOf(page).locator('.tree-count').nth(5)).toBeVisible()
          const rights = await treeOf(page)
            .locator('.tree-row:not(:hover) .tree-count')
            .evaluateAll((counts) => counts.map((count) => Math.round(count.getBoundingClientRect().right)))
          expect(new Set(rights).size).toBe(1)
        })

        if (isPhone)
          await test.step('a long press opens the menu of a node', async () => {
            const place = { pointerType: 'touch', clientX: 120, clientY: 300, bubbles: true }
            await row(page, '城东区域').dispatchEvent('pointerdown', place)
            const menu = page.getByRole('menu').filter({ hasText: /仅勾选|Check only/ })
            await expect(menu).toBeInViewport()
            await row(page, '城东区域').dispatchEvent('pointerup', place)
            await page.keyboard.press('Escape')
            await expect(menu).toBeHidden()
          })
        else
          await test.step('the button of the menu is whole', async () => {
            await row(page, '东苑小区').hover()
            const more = row(page, '东苑小区').locator('.tree-more')
            await expect(more).toBeInViewport({ ratio: 1 })
            expect((await more.boundingBox())?.width).toBe(22)
          })

        await test.step('nothing in a row stands over something else', async () => {
          await expand(page, '一号楼', '1单元')
          const overlaps = await treeOf(page).evaluate(
            (tree) =>
              [...tree.querySelectorAll('[role="treeitem"]')].filter((item) => {
                const parts = [...item.children]
                  .map((part) => part.getBoundingClientRect())
                  .filter(({ width }) => width > 0)
                return parts.some(
                  (part, index) => index > 0 && part.left < (parts[index - 1]?.right ?? 0) - 0.5,
                )
              }).length,
          )
          expect(overlaps).toBe(0)
        })

        await test.step('finds a household, without a barrier', async () => {
          await box(row(page, '一号楼')).click()
          await page.getByTestId('tree-search').fill('5-2-301')
          await expect(page.locator('.tree-hit').first()).toBeVisible()
          await page.locator('.tree-hit').first().click()
          await expect(treeOf(page).locator('[aria-selected="true"]')).toBeInViewport()
          expect(await findBarriers(page, '.tree-panel')).toEqual([])
        })
        expect(errors).toEqual([])
      })
    })
  }
}
