import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hashPassword } from '../../../shared/session/password.ts'
import { type FakeApi, startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { LoginForm } from './login-form.tsx'

function acceptLogins(api: FakeApi): void {
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
}

async function fillIn(
  { user }: Awaited<ReturnType<typeof renderPart>>,
  account: string,
  password: string,
): Promise<void> {
  await user.type(screen.getByLabelText(/账号|Account/), account)
  await user.type(screen.getByLabelText(/^(密码|Password)$/), password)
  await user.click(screen.getByTestId('login-submit'))
}

test('an empty form sends nothing and marks both fields', async () => {
  const api = startFakeApi()
  const { user } = await renderPart(<LoginForm onDone={() => {}} />)
  await user.click(screen.getByTestId('login-submit'))
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual(['请输入账号', '请输入密码'])
  expect(screen.getByLabelText('账号').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(screen.getByLabelText('账号'))
  expect(api.calls(login)).toEqual([])
})

test('a login signs in to both backends with the hash of the password and continues', async () => {
  const api = startFakeApi()
  acceptLogins(api)
  const onDone = vi.fn()
  const view = await renderPart(<LoginForm onDone={onDone} />)
  await fillIn(view, ' dispatcher ', 'secret word')
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  const sent = { username: 'dispatcher', password: hashPassword('secret word') }
  expect(api.calls(login)).toEqual([sent])
  expect(api.calls(tokenLogin)).toEqual([sent])
  expect(localStorage.getItem('heighten')).toBe('first')
})

test('a refused login shows the account with the reason of the server, and keeps the typed text', async () => {
  const api = startFakeApi()
  api.refuse(login, { code: 'session.bad-credentials', text: '账号或密码错误' })
  const onDone = vi.fn()
  const view = await renderPart(<LoginForm onDone={onDone} />)
  await fillIn(view, 'dispatcher', 'wrong')
  expect((await screen.findByTestId('login-error')).textContent).toBe('dispatcher 失败原因：账号或密码错误')
  expect(screen.getByLabelText('账号')).toHaveProperty('value', 'dispatcher')
  expect(onDone).not.toHaveBeenCalled()
})

test('after too many attempts the button is disabled and names the seconds that are left', async () => {
  const api = startFakeApi()
  api.refuse(login, { code: 'session.slowed', text: 'slow down', params: { retryAfterS: 600 } })
  const view = await renderPart(<LoginForm onDone={() => {}} />, { language: 'en' })
  await fillIn(view, 'dispatcher', 'wrong')
  const submit = screen.getByTestId('login-submit')
  await waitFor(() => expect(submit.textContent).toMatch(/(5\d\d|600) s/))
  expect(submit).toHaveProperty('disabled', true)
})

test('a server without a connection is named in the language of the user', async () => {
  const api = startFakeApi()
  api.disconnect(login)
  const view = await renderPart(<LoginForm onDone={() => {}} />, { language: 'en' })
  await fillIn(view, 'dispatcher', 'secret')
  expect((await screen.findByTestId('login-error')).textContent).toBe(
    'No connection to the server, check the network',
  )
})
