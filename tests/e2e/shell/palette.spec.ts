import { findBarriers } from '../support/axe.ts'
import { openPalette } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

test.describe('command palette', () => {
  test.use({ role: 'dispatcher' })

  test('Ctrl-K finds a page by its pinyin initials, gives the focus back, and has no serious barrier', async ({
    page,
  }) => {
    await page.goto('/dashboard')
    const opener = page.getByTestId('palette-open')
    await opener.focus()
    await openPalette(page)
    const input = page.getByTestId('palette-input')
    await expect(input).toBeFocused()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(input).toBeHidden()
    await expect(opener).toBeFocused()
    await openPalette(page)
    await input.fill('fmls')
    const option = page.getByRole('option', { selected: true })
    await expect(option).toContainText('阀门历史数据')
    await expect(option.locator('mark')).toHaveText('阀门历史')
    await expect(input).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
  })
})

test.describe('a household found by its address', () => {
  test.use({ role: 'dispatcher' })

  test('is shown in the tree, on a phone in its drawer', async ({ page }) => {
    const find = async () => {
      await page.getByTestId('palette-open').click()
      await page.getByTestId('palette-input').fill('5-2-301')
      const hit = page.locator('[data-testid^="palette-node"]').first()
      await expect(hit).toContainText('301')
      await hit.click()
    }
    const wanted = { name: /301/ }
    await page.goto('/ewph/fmcontrol')
    await expect(page.getByRole('tree')).toBeVisible()
    await find()
    await expect(page.getByRole('tree').getByRole('treeitem', wanted).first()).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/ewph/fmcontrol', '/dashboard']) {
      await page.goto(path)
      await find()
      await expect(page.locator('.ant-drawer').getByRole('treeitem', wanted).first()).toBeVisible()
    }
  })
})
