import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { changePassword } from '@isotherm/contract/endpoints/administration/user-access'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hashPassword } from '../../../shared/session/password.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { LoginForm } from './login-form.tsx'

const OLD = 'an old password'
const NEXT = 'a much newer password'

async function openExpired(language: 'zh' | 'en' = 'en') {
  const api = startFakeApi()
  api.refuse(login, {
    code: 'session.password-expired',
    text: 'expired',
    params: { minLength: 12, minKinds: 2, history: 3 },
  })
  const onDone = vi.fn()
  const view = await renderPart(<LoginForm onDone={onDone} />, { language })
  await view.user.type(screen.getByLabelText(/账号|Account/), ' li ')
  await view.user.type(screen.getByLabelText(/^(密码|Password)$/), OLD)
  await view.user.click(screen.getByTestId('login-submit'))
  const [next, repeated] = await Promise.all([
    screen.findByLabelText(/^(新密码|New password)$/),
    screen.findByLabelText(/再次输入新密码|New password again/),
  ])
  return { api, onDone, next, repeated, ...view }
}

test.each([
  [
    'zh',
    '至少 12 个字符；含小写字母、大写字母、数字、其他字符中的 2 类；不含账号名，不是常见密码；与最近 3 次的密码不同',
  ],
  [
    'en',
    'At least 12 characters; 2 kinds of small letters, capital letters, digits and others; not the account name and no common password; different from the last 3',
  ],
] as const)('an expired password asks for a new one and states its rules: %s', async (language, rules) => {
  await openExpired(language)
  expect(screen.getByText('expired')).toBeTruthy()
  expect(screen.getByText(rules)).toBeTruthy()
})

test('the new password is set with the old one, and the login continues with it', async () => {
  const { api, onDone, next, repeated, user } = await openExpired()
  api.answer(changePassword, { account: 'li' })
  api.answer(login, { token: 'first', uid: 7, expiresAt: Date.now() + 7_200_000 })
  api.answer(tokenLogin, { data: 'second', utype: 'usr' })
  api.answer(getConsoleSettings, {
    companyTitle: null,
    companyLogo: null,
    sidebarLogo: 1,
    loginSrcId: 128,
    demo: false,
    heatingSeason: { first: '11-15', last: '03-15' },
    timeZone: 'Asia/Shanghai',
  })
  await user.type(next, NEXT)
  await user.type(repeated, `${NEXT}!`)
  expect(screen.getByTestId('login-submit')).toHaveProperty('disabled', true)
  expect(screen.getByText('The two new passwords differ')).toBeTruthy()
  await user.type(repeated, '{Backspace}')
  await user.click(screen.getByTestId('login-submit'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(api.calls(changePassword)).toEqual([
    {
      username: 'li',
      password: hashPassword(OLD),
      newPassword: hashPassword(NEXT),
      newPasswordText: NEXT,
    },
  ])
  expect(api.calls(login).at(-1)).toEqual({ username: 'li', password: hashPassword(NEXT) })
})

test('when only the login fails after the change, the next attempt changes nothing again', async () => {
  const { api, next, repeated, user } = await openExpired()
  api.answer(changePassword, { account: 'li' })
  api.refuse(login, { code: 'server.unavailable', text: 'away' })
  await user.type(next, NEXT)
  await user.type(repeated, NEXT)
  await user.click(screen.getByTestId('login-submit'))
  await screen.findByTestId('login-error')
  expect(screen.getByText('Change password success')).toBeTruthy()
  await user.click(screen.getByTestId('login-submit'))
  await waitFor(() => expect(api.calls(login)).toHaveLength(3))
  expect(api.calls(changePassword)).toHaveLength(1)
})

test('a login that still needs a code gets a field for it after the new password', async () => {
  const { api, next, repeated, user } = await openExpired()
  api.answer(changePassword, { account: 'li' })
  api.refuse(login, { code: 'session.second-factor', text: 'the code, please' })
  await user.type(next, NEXT)
  await user.type(repeated, NEXT)
  await user.click(screen.getByTestId('login-submit'))
  await user.type(await screen.findByTestId('login-code'), '123456')
  await user.click(screen.getByTestId('login-submit'))
  const given = { username: 'li', password: hashPassword(NEXT), code: '123456' }
  await waitFor(() => expect(api.calls(login).at(-1)).toEqual(given))
})

test('a refused new password is explained, and the user can go back', async () => {
  const { api, next, repeated, user } = await openExpired()
  api.refuse(changePassword, { code: 'password.used-before', text: 'must differ' })
  await user.type(next, NEXT)
  await user.type(repeated, NEXT)
  await user.click(screen.getByTestId('login-submit'))
  expect((await screen.findByTestId('login-error')).textContent).toBe('li failure reason: must differ')
  await user.click(screen.getByRole('button', { name: 'Back to login' }))
  expect(screen.getByTestId('login-submit')).toBeTruthy()
})
