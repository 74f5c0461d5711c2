import { findBarriers } from '../support/axe.ts'
import { expectAddress, MODULES } from '../support/guard.ts'
import { goWithin } from '../support/shell.ts'
import { expect, fillLogin, test } from '../support/test.ts'

for (const { locale, refused, unreachable, lacking } of [
  {
    locale: 'zh-CN',
    refused: 'nobody-of-that-name 失败原因',
    unreachable: '暂时联系不上服务器',
    lacking: '阀门控制管理',
  },
  {
    locale: 'en-GB',
    refused: 'nobody-of-that-name failure reason: ',
    unreachable: 'The server cannot be reached',
    lacking: 'Valve control',
  },
]) {
  test.describe(`on a phone, ${locale}`, () => {
    test.use({ locale, viewport: { width: 390, height: 844 } })

    test('a refused login, the page of an unreachable server and /404 fit the screen and have no barrier', async ({
      page,
    }) => {
      const expectFit = async () =>
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await page.goto('/dashboard')
      await fillLogin(page, 'nobody-of-that-name', 'not the password')
      await expect(page.getByTestId('login-error')).toContainText(refused)
      await expectFit()
      expect(await findBarriers(page)).toEqual([])
      await page.route(MODULES, (route) => route.abort())
      await fillLogin(page, 'viewer')
      await expect(page.getByText(unreachable)).toBeVisible()
      await expectFit()
      expect(await findBarriers(page)).toEqual([])
      await page.unroute(MODULES)
      await page.getByTestId('retry').click()
      await expect(page.getByTestId('user-menu')).toBeVisible({ timeout: 8_000 })
      await goWithin(page, '/ewph/fmcontrol')
      await expectAddress(page, '/404')
      await expect(page.getByTestId('lacking-module')).toContainText(lacking)
      await expectFit()
    })
  })
}
