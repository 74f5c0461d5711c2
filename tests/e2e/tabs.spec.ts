import { findBarriers } from './support/axe.ts'
import { openByPalette, openKeys, openThree, tab } from './support/shell.ts'
import { expect, signIn, test } from './support/test.ts'

test.describe('tab strip', () => {
  test.use({ role: 'dispatcher' })

  test('§2 Pages marked affix cannot be closed; closing the active tab goes to the last remaining tab', async ({
    page,
  }) => {
    await openThree(page)
    await expect(tab(page, '/dashboard').getByRole('button')).toHaveCount(0)
    await tab(page, '/ewph/fmcontrol').getByRole('button').click()
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
    await tab(page, '/ewph/fmhistory').click({ button: 'middle' })
    await expect(page).toHaveURL(/\/ewph\/fmreal$/)
    expect(await openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal'])
  })

  test('§2 Its context menu offers close, close others and close all; refresh goes through /redirect', async ({
    page,
  }) => {
    await openThree(page)
    await page.evaluate('window.stillTheSameDocument = true')
    const choose = async (path: string, name: string) => {
      await tab(page, path).click({ button: 'right' })
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await choose('/ewph/fmreal', '刷新')
    await expect(page).toHaveURL(/\/ewph\/fmreal$/)
    await choose('/ewph/fmhistory', '关闭右侧')
    expect(await openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal', '/ewph/fmhistory'])
    await choose('/ewph/fmhistory', '关闭左侧')
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
    expect(await openKeys(page)).toEqual(['/dashboard', '/ewph/fmhistory'])
    await openByPalette(page, '/ewph/fmreal')
    await choose('/ewph/fmhistory', '关闭其他')
    expect(await openKeys(page)).toEqual(['/dashboard', '/ewph/fmhistory'])
    await choose('/dashboard', '关闭全部')
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await openKeys(page)).toEqual(['/dashboard'])
    expect(await page.evaluate('window.stillTheSameDocument')).toBe(true)
  })

  test('§2 View components are cached: what a page held is there when one returns; a refresh makes it anew', async ({
    page,
  }) => {
    await page.goto('/ewph/fmreal')
    const search = page.getByRole('main').getByRole('textbox').first()
    await search.fill('东苑')
    await expect(page).toHaveURL(/q=/)
    const left = page.url()
    const mark = '(mark) => { document.querySelector("main .page").dataset.mark ??= mark }'
    await page.evaluate(`(${mark})("first")`)
    await openByPalette(page, '/ewph/fmhistory')
    await tab(page, '/ewph/fmreal').getByRole('link').click()
    await expect(page).toHaveURL(left)
    await expect(page.locator('main .page[data-mark="first"]')).toBeVisible()
    await expect(search).toHaveValue('东苑')
    await tab(page, '/ewph/fmreal').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '刷新' }).click()
    await expect(page.locator('main .page[data-mark="first"]')).toHaveCount(0)
    await expect(page).toHaveURL(left)
  })

  test('the keyboard reaches, moves and closes tabs and opens their menu', async ({ page }) => {
    await openThree(page)
    const link = (path: string) => page.locator(`[data-tab="${path}"]`)
    await link('/ewph/fmcontrol').focus()
    await page.keyboard.press('ArrowLeft')
    await expect(link('/ewph/fmhistory')).toBeFocused()
    await page.keyboard.press('Home')
    await expect(link('/dashboard')).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Control+ArrowLeft')
    expect(await openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal', '/ewph/fmcontrol', '/ewph/fmhistory'])
    await expect(link('/ewph/fmcontrol')).toBeFocused()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menuitem', { name: '关闭全部' })).toBeVisible()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menuitem', { name: '关闭全部' })).toBeHidden()
    await expect(link('/ewph/fmcontrol')).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
    await expect(tab(page, '/ewph/fmcontrol')).toHaveCount(0)
  })

  test('tabs come back after a reload, with where they were left', async ({ page }) => {
    await page.goto('/ewph/fmreal?sort=-flowM3h')
    await expect(tab(page, '/ewph/fmreal')).toBeVisible()
    await openByPalette(page, '/ewph/fmcontrol')
    await page.reload()
    await expect(tab(page, '/ewph/fmreal')).toBeVisible()
    expect(await openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal', '/ewph/fmcontrol'])
    await tab(page, '/ewph/fmreal').getByRole('link').click()
    await expect(page).toHaveURL(/sort=/)
  })
})

test('the tabs of one user never appear to the next; those no longer permitted do not come back', async ({
  page,
}) => {
  await signIn(page, 'dispatcher', '/ewph/fmcontrol')
  await expect(tab(page, '/ewph/fmcontrol')).toBeVisible()
  const id = await page.evaluate(
    'Object.keys(sessionStorage).find((key) => key.startsWith("isotherm.tabs."))',
  )
  await page.getByTestId('user-menu').click()
  await page.getByText('注销', { exact: true }).click()
  await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === '/login?redirect=%2F')
  await page.evaluate('sessionStorage.setItem("isotherm.tabs.stolen", "[]")')
  await page.goto('/ewph/fmreal')
  await page.locator('input[autocomplete="username"]').fill('viewer')
  await page.locator('input[type="password"]').fill('isotherm-demo')
  await page.locator('button[type="submit"]').click()
  await expect(tab(page, '/dashboard')).toBeVisible()
  expect(await openKeys(page)).not.toContain('/ewph/fmcontrol')
  // Even handed to the viewer, a page that only the dispatcher may open does not come back.
  await page.evaluate(`{
    const own = Object.keys(sessionStorage).find((key) => key.startsWith("isotherm.tabs.") && key !== ${JSON.stringify(id)} && !key.endsWith("stolen"))
    sessionStorage.setItem(own, JSON.stringify(["/dashboard", "/ewph/fmcontrol", "/ewph/fmhistory"]))
  }`)
  await page.reload()
  await expect(tab(page, '/ewph/fmhistory')).toBeVisible()
  expect(await openKeys(page)).not.toContain('/ewph/fmcontrol')
})
