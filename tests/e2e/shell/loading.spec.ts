import type { Page } from '@playwright/test'
import { endOnServer, findDialog } from '../support/session.ts'
import { goWithin, openPalette, tab } from '../support/shell.ts'
import { expect, signIn, test } from '../support/test.ts'

/** Requests of these files fail until the returned function is called. */
async function loseFiles(page: Page, files: RegExp): Promise<() => Promise<void>> {
  await page.route(files, (route) => route.abort())
  return () => page.unroute(files)
}

test('a part of the console is loaded when it is opened; one that cannot be loaded leaves the rest as it is, and is loaded on the next try', async ({
  page,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  // Signed in by the form: the tab can log in again.
  await signIn(page, 'maintenance')
  const user = page.getByTestId('user-menu')

  await test.step('§2 pages load lazily: what is not opened is not fetched', async () => {
    await expect(tab(page, '/dashboard')).toBeVisible()
    expect(scripts.filter((url) => url.includes('fmhistory-page'))).toEqual([])
    await goWithin(page, '/ewph/fmhistory')
    await expect(tab(page, '/ewph/fmhistory')).toBeVisible()
    await expect.poll(() => scripts.some((url) => url.includes('fmhistory-page'))).toBe(true)
  })

  await test.step('a page', async () => {
    const restore = await loseFiles(page, /rtalarm-page-[^/]*\.js/)
    await page.goto('/rtjc/rtalarm?section=open')
    const failed = page.getByRole('alert').filter({ hasText: '页面出错' })
    await expect(failed).toBeVisible()
    await restore()
    await expect(user).toBeVisible()
    await failed.getByRole('button', { name: '刷新此页' }).click()
    await expect(page.getByTestId('alarm-search')).toBeVisible()
    await expect(failed).toHaveCount(0)
  })

  await test.step('the palette', async () => {
    const restore = await loseFiles(page, /palette-(?!store)[^/]*\.js/)
    await page.goto('/ewph/fmcontrol')
    await expect(page.getByTestId('palette-open')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByText('这一部分未能加载')).toBeVisible()
    await expect(user).toBeVisible()
    await restore()
    await openPalette(page)
    await page.keyboard.press('Escape')
  })

  await test.step('on a phone, the drawer of the tree', async () => {
    const restore = await loseFiles(page, /tree-drawer-[^/]*\.js/)
    await page.setViewportSize({ width: 390, height: 844 })
    // The message of the palette disappears by itself.
    await expect(page.locator('.ant-message-error')).toHaveCount(0)
    await page.getByTestId('sidebar-toggle').click()
    await expect(page.locator('.ant-message-error')).toBeVisible()
    await expect(user).toBeVisible()
    await restore()
    await page.getByTestId('sidebar-toggle').click()
    await expect(page.getByRole('tree')).toBeVisible()
  })

  await test.step('a language, which is not chosen without its texts', async () => {
    const restore = await loseFiles(page, /\/texts-en-[^/]*\.js/)
    await page.setViewportSize({ width: 1440, height: 900 })
    // A drawer of the small screen may still be open over the page.
    await page.reload()
    const chooseEnglish = async () => {
      await page.getByTestId('language').click()
      await page.getByRole('menuitem', { name: 'English' }).click()
    }
    await chooseEnglish()
    await expect(page.getByText('该语言的文字未能加载')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
    await restore()
    // A browser requests a failed module again only in a new document.
    await page.reload()
    await chooseEnglish()
    await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
    await page.getByTestId('language').click()
    await page.getByRole('menuitem', { name: '中文' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', /^zh/)
  })

  await test.step('the dialog of an expired session: a banner asks again', async () => {
    const restore = await loseFiles(page, /relogin-dialog.*\.js/)
    await endOnServer(page)
    const banner = page.getByText('登录已过期，数据不再更新')
    await expect(banner).toBeVisible()
    await expect(user).toBeVisible()
    await restore()
    await page.getByRole('alert').getByRole('button', { name: '重新登录' }).click()
    await findDialog(page).getByRole('button', { name: '重新登录' }).click()
    await expect(banner).toHaveCount(0)
  })
})
