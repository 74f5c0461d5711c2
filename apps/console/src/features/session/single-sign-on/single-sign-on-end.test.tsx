import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { logout } from '@isotherm/contract/endpoints/administration/session'
import { finishSingleSignOn } from '@isotherm/contract/endpoints/administration/single-sign-on'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { storeTokens } from '../../../shared/session/tokens.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { storedLogin } from '../sign-in/sign-in.ts'
import { findProviderAnswer } from './single-sign-on.ts'
import { SingleSignOnEnd } from './single-sign-on-end.tsx'

const answer = { code: 'the code', state: 'the state', iss: 'http://provider.test' }

const opened = { token: 'first', data: 'second', uid: 7, utype: 'usr' }

async function open() {
  sessionStorage.setItem(
    'isotherm.singleSignOn',
    JSON.stringify({ secret: 'the secret', redirect: '/ewph/fmreal' }),
  )
  const api = startFakeApi()
  api.answer(getConsoleSettings, {
    companyTitle: null,
    companyLogo: null,
    sidebarLogo: 1,
    loginSrcId: 128,
    demo: false,
    singleSignOn: true,
    heatingSeason: { first: '11-15', last: '03-15' },
    timeZone: 'Asia/Shanghai',
  })
  const given = { onDone: vi.fn(), onCancel: vi.fn() }
  const show = () => renderPart(<SingleSignOnEnd answer={answer} {...given} />, { language: 'en' })
  return { api, show, ...given }
}

test('an address of the login is an answer of the provider only if it has a state', () => {
  expect(findProviderAnswer(new URLSearchParams(answer))).toEqual(answer)
  expect(findProviderAnswer(new URLSearchParams('redirect=/'))).toBeUndefined()
})

test('the answer of the provider opens a session, once, and the user goes where they wanted', async () => {
  const { api, show, onDone } = await open()
  api.answer(finishSingleSignOn, { ...opened, expiresAt: Date.now() + 7_200_000 })
  await show()
  await waitFor(() => expect(onDone).toHaveBeenCalledWith('/ewph/fmreal'))
  expect(api.calls(finishSingleSignOn)).toEqual([{ secret: 'the secret', ...answer }])
  expect(localStorage.getItem('heighten')).toBe('first')
  expect(localStorage.getItem('heightenplus')).toBe('second')
  expect(sessionStorage.getItem('isotherm.singleSignOn')).toBeNull()
})

test('it replaces the session of an earlier user, and the stored login that would renew it', async () => {
  const { api, show, onDone } = await open()
  const before = { first: 'old 1', second: 'old 2', userType: 'usr', uid: '3' }
  storeTokens(localStorage, before, Date.now())
  storedLogin.store({ account: 'earlier', passwordHash: '0'.repeat(64) })
  api.answer(logout, {})
  api.answer(finishSingleSignOn, { ...opened, expiresAt: Date.now() + 7_200_000 })
  await show()
  await waitFor(() => expect(onDone).toHaveBeenCalled())
  expect(storedLogin.find()).toBeUndefined()
  await waitFor(() => expect(api.calls(logout)).toHaveLength(1))
})

test('a refusal is explained, and leads back to the login', async () => {
  const { api, show, onDone, onCancel } = await open()
  api.refuse(finishSingleSignOn, { code: 'single-sign-on.no-role', text: 'no role for your groups' })
  const { user } = await show()
  expect((await screen.findByTestId('login-error')).textContent).toBe('no role for your groups')
  await user.click(screen.getByRole('button', { name: 'Back to login' }))
  expect(onCancel).toHaveBeenCalled()
  expect(onDone).not.toHaveBeenCalled()
  expect(localStorage.getItem('heighten')).toBeNull()
})
