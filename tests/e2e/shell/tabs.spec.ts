import type { Page } from '@playwright/test'
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

  test('§2 refreshing a tab in the background brings it to the front, and going back leads to the one that was there', async ({
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
