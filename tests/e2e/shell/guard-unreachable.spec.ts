import type { Page } from '@playwright/test'
import { findAccessibilityViolations } from '../support/axe.ts'
import { expectAddress, MODULES } from '../support/guard.ts'
import { goWithin } from '../support/shell.ts'
import { expect, fillLogin, test } from '../support/test.ts'

test.use({ viewport: { width: 390, height: 844 } })

const texts = [
  {
    language: '中文',
    refused: 'nobody-of-that-name 失败原因',
    unreachable: '暂时联系不上服务器',
    lacking: '阀门控制管理',
    logOut: '注销',
  },
  {
    language: 'English',
    refused: 'nobody-of-that-name failure reason: ',
    unreachable: 'The server cannot be reached',
    lacking: 'Valve control',
    logOut: 'Log out',
  },
] as const

const expectFit = async (page: Page) =>
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)

const chooseFrom = async (page: Page, opener: string, name: string) => {
  await page.getByTestId(opener).click()
  await page.getByRole('menuitem', { name }).click()
}

test('on a phone a refused login, the page of an unreachable server and /404 fit the screen and have no accessibility violation, in both languages', async ({
  page,
}) => {
  await page.goto('/dashboard')
  for (const { language, refused, unreachable, lacking, logOut } of texts)
    await test.step(language, async () => {
      await chooseFrom(page, 'language', language)
      await fillLogin(page, 'nobody-of-that-name', 'not the password')
      await expect(page.getByTestId('login-error')).toContainText(refused)
      await expectFit(page)
      expect(await findAccessibilityViolations(page)).toEqual([])
      await page.route(MODULES, (route) => route.abort())
      await fillLogin(page, 'viewer')
      await expect(page.getByText(unreachable)).toBeVisible()
      await expectFit(page)
      expect(await findAccessibilityViolations(page)).toEqual([])
      await page.unroute(MODULES)
      // The button sends its request at once, not with the next retry after 10 s.
      const requested = page.waitForRequest(MODULES, { timeout: 8_000 })
      await page.getByTestId('retry').click()
      await requested
      await expect(page.getByTestId('user-menu')).toBeVisible()
      await goWithin(page, '/ewph/fmcontrol')
      await expectAddress(page, '/404')
      await expect(page.getByTestId('lacking-module')).toContainText(lacking)
      await expectFit(page)
      await chooseFrom(page, 'user-menu', logOut)
      await expect(page).toHaveURL(/\/login/)
    })
})
