import { deleteUsers, getUsers, regUser2 } from '@isotherm/contract/endpoints/administration/users'
import { hashPassword } from '../../../apps/console/src/shared/session/password.ts'
import { toCode } from '../../../apps/server/src/modules/session/second-factor/authenticator.testkit.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { getProductUrl } from '../support/product-url.ts'
import { expect, fillLogin, test } from '../support/test.ts'

const PASSWORD = '城东夜班的长密码 26'
/** A code of the next time step, which the server accepts for clocks that differ. */
const STEP_MS = 30_000

test('a user turns two-step sign-in on, and signs in elsewhere with a code, or with a recovery code', async ({
  page,
  browser,
}) => {
  const admin = await signInDirectly('administrator')
  const given = { password: hashPassword(PASSWORD), passwordText: PASSWORD }
  const input = { account: `two-step-${test.info().retry}`, name: '双步', usrUserType: '100', ...given }
  const { id, account } = await callFor(regUser2, input, admin.first)

  await page.goto('/login')
  await fillLogin(page, account, PASSWORD)
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard')
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: '两步验证' }).click()
  await page.getByTestId('field-present').fill(PASSWORD)
  await page.getByTestId('form-save').click()
  const secret = (await page.getByTestId('factor-secret').innerText()).trim()
  await page.getByTestId('factor-code').fill(toCode(secret, Date.now()))
  await page.getByTestId('factor-confirm').click()
  const shown = page.getByTestId('recovery-codes').locator('code')
  await expect(shown).toHaveCount(10)
  const codes = await shown.allInnerTexts()
  await page.getByTestId('factor-stored').click()
  await expect(page.getByText('开启两步验证成功')).toBeVisible()

  for (const code of [toCode(secret, Date.now() + STEP_MS), codes[0] ?? '']) {
    const context = await browser.newContext({ baseURL: getProductUrl(), locale: 'zh-CN' })
    const theirs = await context.newPage()
    await theirs.goto('/login')
    await fillLogin(theirs, account, PASSWORD)
    await theirs.getByTestId('login-code').fill('000000')
    await theirs.getByTestId('login-submit').click()
    await expect(theirs.getByTestId('login-error')).toContainText('动态验证码错误或已用过')
    await theirs.getByTestId('login-code').fill(code)
    await theirs.getByTestId('login-submit').click()
    await expect(theirs).toHaveURL((url) => url.pathname === '/dashboard')
    await context.close()
  }

  // The version rose with the second factor.
  const { list } = await callFor(getUsers, { account, pageSize: 10 }, admin.first)
  const [{ version } = { version: 0 }] = list
  await callFor(deleteUsers, { items: [{ id, version }] }, admin.first)
})
