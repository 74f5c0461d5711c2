import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import {
  confirmSecondFactor,
  startSecondFactor,
} from '@isotherm/contract/endpoints/administration/second-factor'
import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { hashPassword } from '../../../shared/session/password.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { LoginForm } from './login-form.tsx'

const PASSWORD = 'a password of li'
const sent = { username: 'li', password: hashPassword(PASSWORD) }

async function logIn(code: 'session.second-factor' | 'session.second-factor-missing') {
  const api = startFakeApi()
  api.refuse(login, { code, text: code })
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
  const onDone = vi.fn()
  const view = await renderPart(<LoginForm onDone={onDone} />, { language: 'en' })
  await view.user.type(screen.getByLabelText('Account'), 'li')
  await view.user.type(screen.getByLabelText('Password'), PASSWORD)
  await view.user.click(screen.getByTestId('login-submit'))
  const accept = () => api.answer(login, { token: 'first', uid: 7, expiresAt: Date.now() + 7_200_000 })
  return { api, onDone, accept, ...view }
}

test('a login with a second factor asks for a code, and sends it to the first backend only', async () => {
  const { api, user, accept, onDone } = await logIn('session.second-factor')
  const code = await screen.findByLabelText('One-time code')
  expect(screen.queryByTestId('login-error')).toBeNull()
  expect(document.activeElement).toBe(code)
  accept()
  await user.type(code, '123 456')
  await user.click(screen.getByTestId('login-submit'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(api.calls(login)).toEqual([sent, { ...sent, code: '123 456' }])
  expect(api.calls(tokenLogin)).toEqual([sent])
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('123 456')
})

test('a wrong code is explained and can be typed again', async () => {
  const { api, user } = await logIn('session.second-factor')
  api.refuse(login, { code: 'session.wrong-code', text: 'wrong or used' })
  await user.type(await screen.findByLabelText('One-time code'), '123456')
  await user.click(screen.getByTestId('login-submit'))
  expect((await screen.findByTestId('login-error')).textContent).toBe('li failure reason: wrong or used')
  expect(screen.getByLabelText('One-time code')).toHaveProperty('value', '')
  await user.click(screen.getByRole('button', { name: 'Back to login' }))
  expect(screen.getByLabelText('Account')).toHaveProperty('value', 'li')
})

test('a role that requires it: the factor is set up before the first page, and the recovery codes are shown', async () => {
  const { api, user, accept, onDone } = await logIn('session.second-factor-missing')
  api.answer(startSecondFactor, { secret: 'ABCDEFGH', url: 'otpauth://totp/Isotherm:li?secret=ABCDEFGH' })
  api.answer(confirmSecondFactor, { recoveryCodes: ['AAAA-BBBB-CCCC-DDDD', 'EEEE-FFFF-GGGG-HHHH'] })
  expect((await screen.findByTestId('factor-secret')).textContent).toContain('ABCDEFGH')
  await user.type(screen.getByTestId('factor-code'), '123456')
  await user.click(screen.getByTestId('factor-confirm'))
  expect((await screen.findByTestId('recovery-codes')).textContent).toContain('EEEE-FFFF-GGGG-HHHH')
  expect(onDone).not.toHaveBeenCalled()
  accept()
  await user.click(screen.getByTestId('factor-stored'))
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(api.calls(confirmSecondFactor)).toEqual([{ ...sent, code: '123456', tokenHashes: [] }])
  expect(api.calls(startSecondFactor)).toHaveLength(1)
})
