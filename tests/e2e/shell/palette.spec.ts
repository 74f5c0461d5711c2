import { findBarriers } from '../support/axe.ts'
import { openByPalette, openPalette, tab } from '../support/shell.ts'
import { enter, expect, fillLogin, test } from '../support/test.ts'

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

  test('a household is found by its address and shown in the tree', async ({ page }) => {
    await page.goto('/ewph/fmcontrol')
    await expect(page.getByRole('tree')).toBeVisible()
    await openPalette(page)
    await page.getByTestId('palette-input').fill('5-2-301')
    const hit = page.locator('[data-testid^="palette-node"]').first()
    await expect(hit).toContainText('301')
    await hit.click()
    await expect(page.getByRole('tree').getByRole('treeitem', { name: /301/ }).first()).toBeVisible()
  })

  test('a question to the server that is overtaken is given up', async ({ page }) => {
    const { promise: givenUp, resolve } = Promise.withResolvers<void>()
    const isFirst = (body: string | null) => body?.includes('"文化"') ?? false
    page.on('requestfailed', (request) => {
      if (isFirst(request.postData())) resolve()
    })
    await page.route('**/Tree/SearchNodes', async (route) => {
      if (!isFirst(route.request().postData())) await route.continue()
    })
    await page.goto('/dashboard')
    await openPalette(page)
    const first = page.waitForRequest((request) => isFirst(request.postData()))
    await page.getByTestId('palette-input').fill('文化')
    await first
    await page.getByTestId('palette-input').fill('东苑')
    await givenUp
    await expect(page.locator('[data-testid^="palette-node"]').first()).toContainText('东苑')
  })

  test('a search that fails says so', async ({ page }) => {
    await page.route('**/Tree/SearchNodes', (route) => route.abort())
    await page.goto('/dashboard')
    await openPalette(page)
    await page.getByTestId('palette-input').fill('东苑')
    await expect(page.locator('.palette-status')).toContainText('管网查找失败')
  })

  test('it changes language and appearance, and knows what was used lately', async ({ page }) => {
    await page.goto('/ewph/fmcontrol')
    await expect(tab(page, '/ewph/fmcontrol')).toBeVisible()
    await openByPalette(page, '/ewph/fmhistory')
    await openPalette(page)
    await expect(page.getByRole('option').first()).toContainText('阀门控制管理')
    await page.getByTestId('palette-input').fill('english')
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
  })

  test('a palette that cannot be loaded leaves the page as it is, says so, and is tried again', async ({
    page,
  }) => {
    await page.route(/palette-(?!store)[^/]*\.js/, (route) => route.abort())
    await page.goto('/dashboard')
    await expect(page.getByTestId('palette-open')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByText('这一部分未能加载')).toBeVisible()
    await expect(page.getByTestId('user-menu')).toBeVisible()
    await page.unroute(/palette-(?!store)[^/]*\.js/)
    await openPalette(page)
  })
})

test('the palette does not outlive the logout: the next user does not find it open', async ({
  page,
  context,
}) => {
  await enter(page, 'dispatcher')
  await openPalette(page)
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.getByTestId('user-menu').click()
  await other.getByRole('menuitem', { name: '注销' }).click()
  await expect(page).toHaveURL(/\/login/)
  await fillLogin(page, 'viewer')
  await expect(page.getByTestId('user-menu')).toBeVisible()
  await expect(page.getByTestId('palette-input')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ role: 'dispatcher', viewport: { width: 390, height: 844 } })

  for (const path of ['/ewph/fmcontrol', '/dashboard'])
    test(`a node chosen in the palette is shown in the tree's drawer, from ${path}`, async ({ page }) => {
      await page.goto(path)
      await page.getByTestId('palette-open').click()
      await page.getByTestId('palette-input').fill('5-2-301')
      await page.locator('[data-testid^="palette-node"]').first().click()
      const drawer = page.locator('.ant-drawer')
      await expect(drawer.getByRole('treeitem', { name: /301/ }).first()).toBeVisible()
    })
})
