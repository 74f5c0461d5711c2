import { findDialog, isLogin, logOut } from '../support/session.ts'
import { expect, signIn, test } from '../support/test.ts'

test('S6: a login in one tab is one in all, and a logout in one tab leaves all tabs at the login', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await other.goto('/ewph/fmhistory')
  await expect(other).toHaveURL(isLogin)
  await signIn(page, 'viewer')
  await expect(other).toHaveURL(/\/ewph\/fmhistory$/)
  await expect(other.getByTestId('user-menu')).toBeVisible()
  await logOut(page)
  await expect(page).toHaveURL(isLogin)
  await expect(other).toHaveURL(isLogin)
  await expect(findDialog(other)).toHaveCount(0)
})
