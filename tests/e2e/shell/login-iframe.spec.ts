import type { Frame, Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../support/accounts.ts'
import { findToken } from '../support/guard.ts'
import { findStatus } from '../support/session.ts'
import { enter, expect, test } from '../support/test.ts'

test.describe('§2 /loginiframe (login for embedding)', () => {
  const query = (password: string, redirect = '/ewph/fmreal?sort=flow') =>
    `/loginiframe?${new URLSearchParams({ username: 'viewer', password, redirect, loginSrcId: '7' })}`

  /** Opens a page that embeds the console, as if a server setting allowed it. Returns the frame of the console. */
  async function openPortal(page: Page, address: string): Promise<Frame> {
    await page.unrouteAll()
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
    if (!frame) throw new Error('the portal has no frame')
    return frame
  }

  test('in a frame a failed login ends no session; a successful one ends the session of the earlier user', async ({
    page,
  }) => {
    await enter(page, 'maintenance')
    const before = await findToken(page)
    const refused = await openPortal(page, query('wrong'))
    await expect(refused.getByTestId('login-error')).toBeVisible()
    expect(await findToken(page)).toBe(before)
    expect(await findStatus(page, before)).toBe(0)
    const frame = await openPortal(page, query(DEMO_PASSWORD))
    await expect(frame.getByTestId('user-menu')).toBeVisible()
    await expect
      .poll(() => new URL(frame.url()).pathname + new URL(frame.url()).search)
      .toBe('/ewph/fmreal?sort=flow')
    expect(await findToken(page)).not.toBe(before)
    await expect.poll(() => findStatus(page, before)).toBe(11)
  })
})
