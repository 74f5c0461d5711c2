import { findAccessibilityViolations } from '../support/axe.ts'
import { enter, expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

/** A station whose supply temperature no other test depends on. */
const STATION = ['城东区域', '东苑换热站'] as const
/** The controller reports within some seconds. */
const REPORT_MS = 60_000

test('a dispatcher lowers the supply temperature of a station and sees the reported offset confirm it', {
  tag: '@slow',
}, async ({ page }) => {
  test.setTimeout(240_000)
  await enter(page, 'dispatcher')
  await openTree(page)
  await expand(page, STATION[0])
  await row(page, STATION[1]).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '平衡此处' }).click()
  await expect(page).toHaveURL(/\/ewph\/eqmonitor/)
  await page.getByTestId('supply').click()
  const panel = page.getByTestId('supply-panel')
  const offset = panel.getByTestId('supply-offset')
  await expect(offset).toContainText('K')
  const before = Number.parseFloat((await offset.innerText()).replace('−', '-'))
  const set = async (offsetK: number): Promise<void> => {
    await panel.getByLabel('设定供水温度偏移', { exact: true }).fill(String(offsetK))
    await panel.getByLabel('原因').fill('browser test')
    await panel.getByTestId('supply-send').click()
    await expect(panel).toContainText('偏移已生效', { timeout: REPORT_MS })
    await expect
      .poll(async () => Number.parseFloat((await offset.innerText()).replace('−', '-')), {
        timeout: REPORT_MS,
      })
      .toBe(offsetK)
  }
  await set(before - 1)
  expect(await findAccessibilityViolations(page)).toEqual([])
  await set(before)

  // A step that is too large is refused with the allowed range.
  await panel.getByLabel('设定供水温度偏移', { exact: true }).fill(String(before - 7))
  await panel.getByTestId('supply-send').click()
  await expect(panel).toContainText('供水温度偏移须在')
})
