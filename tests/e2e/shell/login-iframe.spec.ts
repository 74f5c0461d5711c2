import type { Frame, Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../support/accounts.ts'
import { findBarriers } from '../support/axe.ts'
import { expectAddress, findToken } from '../support/guard.ts'
import { findStatus } from '../support/session.ts'
import { enter, expect, test } from '../support/test.ts'

test.describe('§2 /loginiframe (login for embedding)', () => {
  const query = (password: string, redirect = '/ewph/fmreal?sort=flow') =>
    `/loginiframe?${new URLSearchParams({ username: 'viewer', password, redirect, loginSrcId: '7' })}`

  test('signs in from the query, goes to its redirect and leaves no password behind', async ({ page }) => {
    await page.goto(query(DEMO_PASSWORD))
    await expectAddress(page, '/ewph/fmreal?sort=flow')
    expect(await page.evaluate('localStorage.getItem("loginSrcId")')).toBe('7')
    await page.goBack()
    expect(page.url()).not.toContain(DEMO_PASSWORD)
  })

  test('shows the form with the reason when that fails', async ({ page }) => {
    await page.goto(query('wrong', '/dashboard'))
    await expect(page.getByTestId('login-error')).toContainText('viewer 失败原因：账号或密码错误')
    await expect(page.locator('input[autocomplete="username"]')).toHaveValue('viewer')
    await expectAddress(page, '/loginiframe?redirect=%2Fdashboard&loginSrcId=7')
    expect(await findBarriers(page)).toEqual([])
  })

  test('as a link, in a window of its own, it changes nobody’s session', async ({ page }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    await page.goto(query(DEMO_PASSWORD))
    await expectAddress(page, '/loginiframe?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow&loginSrcId=7')
    await expect(page.locator('input[type="password"]')).toHaveValue('')
    expect(await findToken(page)).toBe(before)
    expect(await findStatus(page, before)).toBe(0)
  })

  /** A portal that the server's setting lets embed the console: the page around it, and the frame. */
  async function openPortal(page: Page, address: string): Promise<Frame> {
    await page.route('**/loginiframe?*', async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _csp, 'x-frame-options': _deny, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.route('**/portal', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe name="console" width="1200" height="700" src="${address.replaceAll('&', '&amp;')}"></iframe>`,
      }),
    )
    await page.goto('/portal')
    const frame = page.frame('console')
    if (!frame) throw new Error('the portal has its frame')
    return frame
  }

  test('in a frame the portal says who sits there: the session of whoever sat there before ends', async ({
    page,
  }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    const frame = await openPortal(page, query(DEMO_PASSWORD))
    await expect(frame.getByTestId('user-menu')).toBeVisible()
    await expect
      .poll(() => new URL(frame.url()).pathname + new URL(frame.url()).search)
      .toBe('/ewph/fmreal?sort=flow')
    expect(await findToken(page)).not.toBe(before)
    await expect.poll(() => findStatus(page, before)).toBe(11)
  })

  test('in a frame a login that fails ends no session', async ({ page }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    const frame = await openPortal(page, query('wrong'))
    await expect(frame.getByTestId('login-error')).toBeVisible()
    expect(await findToken(page)).toBe(before)
    expect(await findStatus(page, before)).toBe(0)
  })
})
