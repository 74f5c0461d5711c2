import { findFreePort } from '@isotherm/engines/process-life'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Browser, Page } from '@playwright/test'
import { startProvider } from '../../../apps/server/src/modules/session/oidc/provider.testkit.ts'
import type { Product } from '../../../tools/product/start-product.ts'
import { logOut } from '../support/session.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, test } from '../support/test.ts'

let provider: Awaited<ReturnType<typeof startProvider>>
let product: Product

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  // The provider must know the address of the console before it starts.
  const port = await findFreePort()
  provider = await startProvider({ origin: `http://127.0.0.1:${port}`, asks: true })
  product = await startOwnProduct({ env: { ...provider.settings, ISOTHERM_PORT: String(port) } })
})
test.afterAll(async () => {
  await product?.stop()
  await provider?.stop()
})

/** Opens a page without a session; the console redirects to the provider, which redirects back. */
async function comeFromProvider(page: Page, account: string, path = '/dashboard'): Promise<void> {
  await page.goto(product.url + path)
  await page.getByTestId('single-sign-on').click()
  await expect(page.getByRole('heading', { name: 'Company sign-in' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(provider.settings.ISOTHERM_OIDC_ISSUER)
  await page.getByRole('button', { name: `Continue as ${account}` }).click()
}

/** A browser without a session at the provider. */
const openBrowser = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> => (await browser.newContext({ locale: 'zh-CN', ...options })).newPage()

test('a person of the company signs in at its provider, with the role of the group, and logs out again', async ({
  browser,
}) => {
  test.setTimeout(3 * MINUTE_MS)
  provider.become({ sub: 'li', account: 'li.na', groups: ['dispatchers'] })
  const page = await openBrowser(browser)
  await comeFromProvider(page, 'li.na', '/ewph/fmcontrol')
  await expect(page).toHaveURL(({ pathname }) => pathname === '/ewph/fmcontrol')
  await expect(page.getByTestId('user-menu')).toContainText('li.na')
  await expect(page.getByTestId('control-lists')).toBeVisible()

  await test.step('a page outside the role is refused', async () => {
    await page.goto(`${product.url}/sys/logsys`)
    await expect(page.getByTestId('lacking-module')).toBeVisible()
  })

  await test.step('the logout ends the session; the code in the address opens no second one', async () => {
    await logOut(page)
    await expect(page.getByTestId('single-sign-on')).toBeVisible()
    await page.goto(`${product.url}/login?code=used&state=used&iss=x`)
    await expect(page.getByTestId('login-error')).toBeVisible()
    await page.goto(`${product.url}/ewph/fmreal`)
    await expect(page).toHaveURL(/\/login\?redirect=/)
  })
})

test('a person of a group that may only view sees no control page, on a phone and in English', async ({
  browser,
}) => {
  provider.become({ sub: 'smith', account: 'j.smith', groups: ['viewers'] })
  const page = await openBrowser(browser, { locale: 'en-US', viewport: { width: 390, height: 844 } })
  await comeFromProvider(page, 'j.smith', '/ewph/fmreal')
  await expect(page).toHaveURL(({ pathname }) => pathname === '/ewph/fmreal')
  await expect(page.getByTestId('user-menu')).toBeVisible()
  await page.goto(`${product.url}/ewph/fmcontrol`)
  await expect(page.getByTestId('lacking-module')).toBeVisible()
})

test('a person without a known group reads the reason on the login page, and may try again', async ({
  browser,
}) => {
  provider.become({ sub: 'guest', account: 'guest', groups: ['choir'] })
  const guest = await openBrowser(browser)
  await comeFromProvider(guest, 'guest')
  await expect(guest.getByTestId('login-error')).toHaveText(
    '您在统一登录中的用户组没有对应的角色，请联系管理员',
  )
  await guest.getByRole('button', { name: '返回登录' }).click()
  await expect(guest.getByTestId('single-sign-on')).toBeVisible()
})
