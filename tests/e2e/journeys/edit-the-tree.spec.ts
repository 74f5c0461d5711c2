import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { enter, expect, test } from '../support/test.ts'
import { expand, row, TREE_PAGE } from '../support/tree.ts'
import { views } from '../support/views.ts'

const STATION = '文化路换热站'

const texts = {
  zh: {
    add: '新增下级',
    edit: '编辑',
    move: '移动',
    remove: '删除',
    generated: '单元和户号（24 个）',
    unit: '2单元',
    touches: '下级节点 26',
    parent: '新的上级',
    moved: (name: string) => `已移动“${name}”`,
    inUse: /请先移动或删除其下级节点和设备/,
    cancel: '取消',
  },
  en: {
    add: 'Add below',
    edit: 'Edit',
    move: 'Move',
    remove: 'Delete',
    generated: 'Units and households (24)',
    unit: 'Unit 2',
    touches: 'Nodes below 26',
    parent: 'New parent',
    moved: (name: string) => `Moved "${name}"`,
    inUse: /move or delete the nodes and devices below first/,
    cancel: 'Cancel',
  },
} as const

const undo = (page: Page) => page.getByTestId('notice-action').last().click()

/** Opens the menu of a node: with a right click, on a phone with a long press. */
async function openMenu(page: Page, name: string, isPhone: boolean): Promise<void> {
  const node = row(page, name).first()
  if (!isPhone) return node.click({ button: 'right' })
  await node.scrollIntoViewIfNeeded()
  const { x, y } = (await node.boundingBox()) ?? { x: 0, y: 0 }
  const place = { pointerType: 'touch', clientX: x + 120, clientY: y + 20, bubbles: true }
  await node.dispatchEvent('pointerdown', place)
  await expect(page.getByRole('menuitem').first()).toBeInViewport()
  await node.dispatchEvent('pointerup', place)
}

for (const view of views) {
  const { screen, language, locale, viewport, hasTouch } = view
  const text = texts[language]
  const isPhone = screen === 'phone'

  async function chooseItem(
    page: Page,
    name: string,
    item: 'add' | 'edit' | 'move' | 'remove',
  ): Promise<void> {
    await openMenu(page, name, isPhone)
    await page.getByRole('menuitem', { name: new RegExp(`^${text[item]}`) }).click()
  }
  /** Opens a dialog by its key; a phone has none, so there it is opened from the menu. */
  async function pressKey(page: Page, name: string, item: 'edit' | 'remove', key: string): Promise<void> {
    if (isPhone) return chooseItem(page, name, item)
    await row(page, name).click()
    await page.keyboard.press(key)
  }

  test.describe(`${screen}, ${language}`, { tag: view === views[0] ? [] : '@slow' }, () => {
    test.use({ locale, viewport, hasTouch })

    test('an administrator adds, renames, moves and removes nodes in the tree itself', async ({ page }) => {
      test.setTimeout(120_000)
      /** Names that no other test and no earlier run uses. */
      const unique = randomUUID().slice(0, 8)
      const [area, renamed, building] = [`三期-${unique}`, `四期-${unique}`, `${unique}号楼`]
      await enter(page, 'administrator', TREE_PAGE)
      if (isPhone) await page.getByTestId('sidebar-toggle').click()
      await expand(page, '城东区域')

      await test.step('adds a residential area, and a building with generated addresses', async () => {
        await chooseItem(page, STATION, 'add')
        await page.getByTestId('field-title').fill(area)
        await page.getByTestId('form-save').click()
        await expand(page, STATION)
        await expect(row(page, area)).toBeVisible()
        await chooseItem(page, area, 'add')
        await page.getByTestId('field-name').fill(building)
        await page.getByTestId('generate').click()
        await expect(page.getByText(text.generated)).toBeVisible()
        await page.getByTestId('form-save').click()
        await expand(page, area, building)
        await expect(row(page, text.unit)).toBeVisible()
      })

      await test.step('renames the area by keyboard, and undoes it', async () => {
        await pressKey(page, area, 'edit', 'F2')
        await page.getByTestId('field-title').fill(renamed)
        await page.getByTestId('form-save').click()
        await expect(row(page, renamed)).toBeVisible()
        await undo(page)
        await expect(row(page, area)).toBeVisible()
      })

      await test.step('moves the building to another place after a preview of what changes, and undoes it', async () => {
        await chooseItem(page, building, 'move')
        await expect(page.getByTestId('edit-touches')).toContainText(text.touches)
        await page.getByRole('combobox', { name: text.parent }).fill('东苑小区')
        await page.locator('.ant-select-item-option').filter({ hasText: '东苑小区' }).first().click()
        await page.getByTestId('edit-move').click()
        await expect(page.getByText(text.moved(building))).toBeVisible()
        await expect(row(page, building)).toHaveCount(0)
        await undo(page)
        await expect(row(page, building)).toBeVisible()
      })

      if (!isPhone)
        await test.step('drags the building to another area: nothing moves without a confirmation', async () => {
          await expand(page, '东苑换热站')
          await row(page, building).dragTo(row(page, '东苑小区').first())
          await expect(page.getByRole('dialog')).toContainText('东苑换热站 / 东苑小区')
          await expect(page.getByTestId('edit-move')).toBeEnabled()
          await page.getByRole('dialog').getByRole('button', { name: text.cancel }).click()
          await expect(row(page, building)).toBeVisible()
        })

      await test.step('cannot remove an area that is in use, but removes an empty one', async () => {
        await chooseItem(page, area, 'remove')
        await expect(page.getByText(text.inUse)).toBeVisible()
        await expect(page.getByTestId('edit-remove')).toBeDisabled()
        await page.getByRole('dialog').getByRole('button', { name: text.cancel }).click()
        for (const name of [building, area]) {
          await pressKey(page, name, 'remove', 'Delete')
          await page.getByTestId('edit-remove').click()
          await expect(row(page, name)).toHaveCount(0)
        }
      })
    })
  })
}
