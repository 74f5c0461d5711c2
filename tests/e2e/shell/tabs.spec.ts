import type { Page } from '@playwright/test'
import { z } from 'zod'
import { findBarriers } from '../support/axe.ts'
import { openByPalette, openKeys, openThree, tab } from '../support/shell.ts'
import { enter, expect, fillLogin, test } from '../support/test.ts'

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
    await expect.poll(() => openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal'])
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
    await expect.poll(() => openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal', '/ewph/fmhistory'])
    await choose('/ewph/fmhistory', '关闭左侧')
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
    await expect.poll(() => openKeys(page)).toEqual(['/dashboard', '/ewph/fmhistory'])
    await openByPalette(page, '/ewph/fmreal')
    await choose('/ewph/fmhistory', '关闭其他')
    await expect.poll(() => openKeys(page)).toEqual(['/dashboard', '/ewph/fmhistory'])
    await choose('/dashboard', '关闭全部')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect.poll(() => openKeys(page)).toEqual(['/dashboard'])
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
    await expect
      .poll(() => openKeys(page))
      .toEqual(['/dashboard', '/ewph/fmreal', '/ewph/fmcontrol', '/ewph/fmhistory'])
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
    await expect.poll(() => openKeys(page)).toEqual(['/dashboard', '/ewph/fmreal', '/ewph/fmcontrol'])
    await tab(page, '/ewph/fmreal').getByRole('link').click()
    await expect(page).toHaveURL(/sort=/)
  })
})

/** Logs out and in again within the document: nothing is forgotten by a reload. */
async function changeUser(page: Page, account: string): Promise<void> {
  await page.evaluate('window.stillTheSameDocument = true')
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: '注销' }).click()
  await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === '/login?redirect=%2F')
  await fillLogin(page, account)
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await page.evaluate('window.stillTheSameDocument')).toBe(true)
}

test('the tabs of one user never appear to the next; those no longer permitted do not come back', async ({
  page,
}) => {
  await enter(page, 'dispatcher', '/ewph/fmcontrol')
  await openByPalette(page, '/ewph/fmhistory')
  await expect(tab(page, '/ewph/fmcontrol')).toBeVisible()
  await changeUser(page, 'viewer')
  await expect(tab(page, '/dashboard')).toBeVisible()
  await expect.poll(() => openKeys(page)).toEqual(['/dashboard'])
  const { id } = z.object({ id: z.string() }).parse({
    id: await page.evaluate('sessionStorage.getItem("isotherm.lastUser")'),
  })
  // Even handed to the viewer, a page that only the dispatcher may open does not come back.
  await page.evaluate(
    `sessionStorage.setItem("isotherm.tabs.${id}", JSON.stringify(["/dashboard", "/ewph/fmcontrol", "/ewph/fmhistory"]))`,
  )
  await page.reload()
  await expect(tab(page, '/ewph/fmhistory')).toBeVisible()
  await expect.poll(() => openKeys(page)).toEqual(['/dashboard', '/ewph/fmhistory'])
})

test('§4 Logout clears the state: what was asked, chosen in the tree and watched live is asked for anew', async ({
  page,
}) => {
  /** What was subscribed to, by connection. */
  const connections: string[][] = []
  page.on('websocket', (socket) => {
    const subscribed: string[] = []
    connections.push(subscribed)
    socket.on('framesent', ({ payload }) => {
      if (String(payload).includes('"subscribe"')) subscribed.push(String(payload))
    })
  })
  await enter(page, 'dispatcher', '/ewph/fmreal')
  const checked = page.getByRole('treeitem', { checked: true })
  await page.getByRole('treeitem').nth(2).locator('[data-part="check"]').click()
  await expect(checked.first()).toBeVisible()
  await expect.poll(() => connections[0]?.length).toBeGreaterThan(0)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await changeUser(page, 'viewer')
  await expect.poll(() => connections.length, 'the viewer has a connection of his own').toBeGreaterThan(1)
  await openByPalette(page, '/ewph/fmreal')
  await expect(page.getByRole('treeitem').first()).toBeVisible()
  await expect(checked).toHaveCount(0)
  await expect(page.getByRole('treeitem', { selected: true })).toHaveCount(0)
  await expect.poll(() => connections[1]?.length).toBeGreaterThan(0)
  expect(connections[1]?.join(), 'nothing goes on from what the dispatcher held').not.toContain('"since"')
  const anew = asked.slice(asked.indexOf('/usrCloud/user/login'))
  for (const path of [
    '/usrCloud/user/getUser',
    '/usrCloud/projectInfo/queryProjectList',
    '/ht-api/api/Dev/ZgetDevsFromPrjTree',
  ])
    expect(anew, path).toContain(path)
})

test.describe('refreshing a tab', () => {
  test.use({ role: 'dispatcher' })

  test('§2 in the background brings it to the front, and going back leads to the one that was there', async ({
    page,
  }) => {
    await openThree(page)
    await tab(page, '/ewph/fmhistory').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '刷新' }).click()
    await expect(page).toHaveURL(/\/ewph\/fmhistory$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/ewph\/fmcontrol$/)
    await tab(page, '/ewph/fmcontrol').click({ button: 'right' })
    await page.getByRole('menuitem', { name: '刷新' }).click()
    await expect(page).toHaveURL(/\/ewph\/fmcontrol$/)
    await page.goBack()
    await expect(page, 'a refresh of the front one makes no entry').toHaveURL(/\/ewph\/fmhistory$/)
  })
})
