import { findAccessibilityViolations } from '../support/axe.ts'
import { enter, expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

/** The only heat station of the demo without recorded pipes. */
const STATION = ['城西区域', '建设街换热站'] as const

test('an administrator records, changes and removes a pipe of a station, and records floor heating', {
  tag: '@slow',
}, async ({ page }) => {
  await enter(page, 'administrator')
  await openTree(page)
  await expand(page, STATION[0])
  await row(page, STATION[1]).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '平衡此处' }).click()
  const panel = page.locator('.panel', { has: page.getByTestId('network-shown') })
  await expect(panel).toContainText('尚未录入管段')

  const choose = async (end: 'from' | 'to', name: string) => {
    await page.getByTestId(`pipe-${end}`).click()
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
  }
  await page.getByTestId('pipe-add').click()
  const form = page.getByTestId('pipe-form')
  await expect(form.getByTestId('pipe-save')).toBeDisabled()
  await choose('from', STATION[1])
  await choose('to', '建设里小区')
  await form.getByLabel('长度').fill('180')
  await form.getByLabel('内径').fill('107.1')
  expect(await findAccessibilityViolations(page)).toEqual([])
  await form.getByTestId('pipe-save').click()
  await expect(form).toBeHidden()
  const pipe = panel.getByTestId('pipes').locator('.ant-table-row')
  await expect(pipe).toHaveText(/建设街换热站.*180\.0.*107\.1.*钢管/)

  await pipe.click()
  await form.getByLabel('敷设年份').fill('2009')
  await form.getByTestId('pipe-save').click()
  await expect(pipe).toContainText('2009')

  await panel.getByText('散热末端').click()
  const emitters = panel.getByTestId('emitters').locator('.ant-table-row')
  await emitters.nth(1).locator('.ant-select').click()
  await page.getByTitle('地暖', { exact: true }).click()
  await expect(emitters.nth(2)).toContainText('同上级（地暖）')
  await emitters.nth(1).locator('.ant-select').click()
  await page.getByTitle('同上级', { exact: true }).click()
  await expect(emitters.nth(2)).toContainText('同上级（散热器）')

  await panel.getByText('管段 1').click()
  await pipe.click()
  await form.getByTestId('pipe-remove').click()
  await page.locator('.ant-popconfirm-buttons .ant-btn-primary').click()
  await expect(panel).toContainText('尚未录入管段')
})
