import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

const STATION = '文化路换热站'
const AREA = '三期-北'
const BUILDING = 'N-1号楼'

test.use({ role: 'administrator' })

const undo = (page: Page) => page.getByTestId('notice-action').last().click()

async function chooseItem(page: Page, name: string, item: string): Promise<void> {
  await row(page, name).first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click()
}

test('an administrator builds, renames, moves and removes a part of the tree where it is shown', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await openTree(page)
  await expand(page, '城东区域')

  await test.step('adds a residential area, and a building with generated addresses', async () => {
    await chooseItem(page, STATION, '新增下级')
    await page.getByTestId('field-title').fill(AREA)
    await page.getByTestId('form-save').click()
    await expand(page, STATION)
    await expect(row(page, AREA)).toBeVisible()
    await chooseItem(page, AREA, '新增下级')
    await page.getByTestId('field-name').fill(BUILDING)
    await page.getByTestId('generate').click()
    await expect(page.getByText('单元和户号（24 个）')).toBeVisible()
    await page.getByTestId('form-save').click()
    await expand(page, AREA, BUILDING)
    await expect(row(page, '2单元')).toBeVisible()
  })

  await test.step('renames the area by keyboard, and undoes it', async () => {
    await row(page, AREA).click()
    await page.keyboard.press('F2')
    await page.getByTestId('field-title').fill('四期')
    await page.getByTestId('form-save').click()
    await expect(row(page, '四期')).toBeVisible()
    await undo(page)
    await expect(row(page, AREA)).toBeVisible()
  })

  await test.step('moves the building to another place, which says what it concerns, and undoes it', async () => {
    await chooseItem(page, BUILDING, '移动')
    await expect(page.getByTestId('edit-touches')).toContainText('下级节点 26')
    await page.getByRole('combobox', { name: '新的上级' }).fill('东苑小区')
    await page.locator('.ant-select-item-option').filter({ hasText: '东苑小区' }).first().click()
    await page.getByTestId('edit-move').click()
    await expect(page.getByText(`已移动“${BUILDING}”`)).toBeVisible()
    await expect(row(page, BUILDING)).toHaveCount(0)
    await undo(page)
    await expect(row(page, BUILDING)).toBeVisible()
  })

  await test.step('drags the building to another area, which is only done after a confirmation', async () => {
    await expand(page, '东苑换热站')
    await row(page, BUILDING).dragTo(row(page, '东苑小区').first())
    await expect(page.getByRole('dialog')).toContainText('东苑换热站 / 东苑小区')
    await expect(page.getByTestId('edit-move')).toBeEnabled()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await expect(row(page, BUILDING)).toBeVisible()
  })

  await test.step('cannot remove what is in use, but an empty part', async () => {
    await chooseItem(page, AREA, '删除')
    await expect(page.getByText(/请先移动或删除其下级节点和设备/)).toBeVisible()
    await expect(page.getByTestId('edit-remove')).toBeDisabled()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    for (const name of [BUILDING, AREA]) {
      await row(page, name).click()
      await page.keyboard.press('Delete')
      await page.getByTestId('edit-remove').click()
      await expect(row(page, name)).toHaveCount(0)
    }
  })
})
