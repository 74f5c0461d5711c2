import { findAccessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'dispatcher' })

test('F1 opens the chapter beside the page, which stays usable; Escape gives the focus back', async ({
  page,
}) => {
  await page.goto('/ewph/fmcontrol')
  await expect(page.getByRole('tree')).toBeVisible()
  const opener = page.getByTestId('palette-open')
  await opener.focus()
  await page.keyboard.press('F1')
  await expect(page.getByTestId('help-fmcontrol')).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('help')).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('F1')
  const panel = page.getByTestId('help')
  await panel.getByRole('button', { name: '设备调试' }).click()
  await expect(page.getByTestId('help-devdebug')).toBeVisible()
  await page.getByTestId('sidebar-toggle').click()
  await expect(page.getByRole('tree')).toBeHidden()
  await expect(panel).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the manual covers the page, its search finds a word, and a picture is loaded', async ({ page }) => {
    await page.goto('/ewph/fmreal')
    await page.getByTestId('user-menu').click()
    await page.getByText('帮助', { exact: true }).click()
    const picture = page.getByTestId('help-fmreal').getByRole('img')
    await expect(picture).toHaveJSProperty('naturalWidth', 1100)
    await page.getByTestId('help-search').fill('死区')
    await page.getByRole('button', { name: /温度平衡管理 › 自动策略/ }).click()
    await expect(page.getByRole('heading', { name: '自动策略' })).toBeInViewport()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})

test('the about box says the version and that the server and its services answer', async ({ page }) => {
  await page.goto('/dashboard')
  await page.getByTestId('user-menu').click()
  await page.getByText('关于', { exact: true }).click()
  await expect(page.getByTestId('version')).toContainText(/Isotherm \d+\.\d+/)
  await expect(page.getByTestId('health')).toHaveText('正常')
  expect(await findAccessibilityViolations(page)).toEqual([])
})
