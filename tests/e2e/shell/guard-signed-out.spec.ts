import { DEMO_PASSWORD } from '../support/accounts.ts'
import { expectAddress } from '../support/guard.ts'
import { expect, test } from '../support/test.ts'

test.describe('signed out', () => {
  test('§2 username and password of a query fill in the form, and leave address and history at once', async ({
    page,
  }) => {
    // The login page is delayed, because the address must change before it loads.
    let release = (): void => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route(/\/login-[^/]*\.js/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('about:blank')
    const address = `/dashboard?x=1&username=viewer&password=${encodeURIComponent(DEMO_PASSWORD)}#h`
    await page.goto(address, { waitUntil: 'commit' })
    await expectAddress(page, '/dashboard?x=1#h')
    release()
    await expectAddress(page, '/login?redirect=%2Fdashboard%3Fx%3D1%23h')
    await expect(page.locator('input[autocomplete="username"]')).toHaveValue('viewer')
    await expect(page.locator('input[type="password"]')).toHaveValue(DEMO_PASSWORD)
    expect(await page.evaluate('JSON.stringify(history.state) + location.href')).not.toContain(DEMO_PASSWORD)
    await page.locator('button[type="submit"]').click()
    await expectAddress(page, '/dashboard?x=1#h')
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })
})
