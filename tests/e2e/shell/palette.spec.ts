import { findAccessibilityViolations } from '../support/axe.ts'
import { openPalette } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'dispatcher' })

test('Ctrl-K finds a page by its pinyin initials and a household by its address, gives the focus back, and has no serious accessibility violation', async ({
  page,
}) => {
  await page.goto('/ewph/fmcontrol')
  await expect(page.getByRole('tree')).toBeVisible()
  const opener = page.getByTestId('palette-open')
  const input = page.getByTestId('palette-input')

  await test.step('Escape gives the focus back', async () => {
    await opener.focus()
    await openPalette(page)
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(input).toBeHidden()
    await expect(opener).toBeFocused()
  })

  await test.step('a household is shown in the tree', async () => {
    await openPalette(page)
    await input.fill('5-2-301')
    const hit = page.locator('[data-testid^="palette-node"]').first()
    await expect(hit).toContainText('301')
    await hit.click()
    await expect(page.getByRole('tree').getByRole('treeitem', { name: /301/ }).first()).toBeInViewport()
  })

  await test.step('a page is found by its pinyin initials', async () => {
    await openPalette(page)
    await input.fill('fmls')
    await expect(page.getByRole('option', { selected: true })).toContainText('阀门历史数据')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
  })
})
