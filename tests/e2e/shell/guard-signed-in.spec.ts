import { expectAddress } from '../support/guard.ts'
import { goWithin, openByPalette } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

test.describe('signed in', () => {
  test.use({ role: 'viewer' })

  test('§2 scroll returns to the top on navigation', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 300 })
    await page.goto('/dashboard')
    const scrolled = () => page.evaluate('document.querySelector("main").scrollTop')
    await expect(page.getByRole('main')).toContainText(/\S/)
    await expect
      .poll(async () => {
        await page.evaluate('document.querySelector("main").scrollTo(0, 200)')
        return scrolled()
      })
      .toBeGreaterThan(50)
    await page.evaluate('window.stillTheSameDocument = true')
    await openByPalette(page, '/ewph/fmreal')
    await expect.poll(scrolled).toBe(0)
    await page.evaluate('document.querySelector("main").scrollTo(0, 200)')
    await page.getByTestId('tab-/dashboard').getByRole('link').click()
    await expectAddress(page, '/dashboard')
    await expect.poll(scrolled).toBe(0)
    expect(await page.evaluate('window.stillTheSameDocument')).toBe(true)
  })

  test('§2 pages load lazily: what is not opened is not fetched', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto('/dashboard')
    await expect(page.getByTestId('tab-/dashboard')).toBeVisible()
    expect(scripts.filter((url) => url.includes('fmhistory-page'))).toEqual([])
    await goWithin(page, '/ewph/fmhistory')
    await expect(page.getByTestId('tab-/ewph/fmhistory')).toBeVisible()
    await expect.poll(() => scripts.some((url) => url.includes('fmhistory-page'))).toBe(true)
  })
})
