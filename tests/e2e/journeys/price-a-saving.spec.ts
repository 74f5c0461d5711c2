import { findAccessibilityViolations } from '../support/axe.ts'
import { enter, expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

/** A station whose price no other test depends on. */
const STATION = ['城东区域', '东苑换热站'] as const

test('a dispatcher opens what a station saved, reads why there is none yet, and sets its heat price', {
  tag: '@slow',
}, async ({ page }) => {
  await enter(page, 'dispatcher')
  await openTree(page)
  await expand(page, STATION[0])
  await row(page, STATION[1]).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '平衡此处' }).click()
  await page.getByTestId('saving').click()
  const panel = page.getByTestId('saving-panel')
  // The demo has no readings of two seasons.
  await expect(panel.getByTestId('saving-refused')).toContainText('基线期')
  await expect(panel.getByTestId('saving-days')).toContainText('采用 0 天')
  await panel.getByTestId('saving-after-to').fill('2000-01-01')
  await expect(panel.getByRole('alert')).toContainText('结束日期不早于开始日期')
  await expect(panel.getByTestId('saving-compare')).toBeDisabled()
  expect(await findAccessibilityViolations(page)).toEqual([])

  await panel.getByTestId('price-node').click()
  await page.getByTitle(STATION[1], { exact: true }).locator('visible=true').last().click()
  const price = panel.getByLabel('热价')
  const set = async (value: string): Promise<void> => {
    await price.fill(value)
    await panel.getByTestId('price-save').click()
    await expect(panel).toContainText('价格已保存')
  }
  await set('45.5')
  await page.reload()
  await page.getByTestId('saving').click()
  await expect(price).toHaveValue('45.5')
  await set('')
})
