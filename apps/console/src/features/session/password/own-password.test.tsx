import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { changePassword } from '@isotherm/contract/endpoints/administration/user-access'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Language } from '../../../shared/i18n/language.ts'
import { useNotices } from '../../../shared/notices/notices.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { findToken, storeTokens } from '../../../shared/session/tokens.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import OwnPassword from './own-password.tsx'
import { showOwnPassword, useOwnPassword } from './own-password-store.ts'

const PRESENT = '现在的密码'
const NEXT = '新的夜班密码一二三四'

beforeEach(() => showOwnPassword(true))

async function open(language: Language = 'zh') {
  storeTokens(localStorage, { first: 'one', second: 'two', uid: '7', userType: 'usr' }, Date.now())
  const api = startFakeApi()
  api.answer(changePassword, { account: 'operator' })
  api.answer(login, { token: 'new-one', uid: 7, expiresAt: Date.now() + 7_200_000 })
  api.answer(tokenLogin, { data: 'new-two', utype: 'usr' })
  const part = await renderPart(<OwnPassword />, { language })
  const enter = async (present: string, next: string, repeated = next) => {
    await part.user.type(await screen.findByTestId('field-present'), present)
    await part.user.type(screen.getByTestId('field-next'), next)
    await part.user.type(screen.getByTestId('field-repeated'), repeated)
    await part.user.click(screen.getByTestId('form-save'))
  }
  return { api, enter, ...part }
}
const notices = () => useNotices.getState().notices.map(({ text }) => text)

test.each([
  ['zh', '修改密码成功'],
  ['en', 'Change password success'],
] as const)(
  '§8 a changed password is sent as a hash, and this tab signs in with it: %s',
  async (language, text) => {
    const { api, enter } = await open(language)
    await enter(PRESENT, NEXT)
    await waitFor(() => expect(notices()).toEqual([text]))
    expect(api.calls(changePassword)).toEqual([
      {
        username: 'operator',
        password: hashPassword(PRESENT),
        newPassword: hashPassword(NEXT),
        newPasswordText: NEXT,
      },
    ])
    expect(api.calls(login)).toEqual([{ username: 'operator', password: hashPassword(NEXT) }])
    expect(findToken(localStorage, 'ht-api')).toBe('new-two')
    expect(useOwnPassword.getState().isOpen).toBe(false)
  },
)

test.each([
  ['zh', '账号或密码错误', 'operator 失败原因：账号或密码错误'],
  ['en', 'Wrong account or password', 'operator failure reason: Wrong account or password'],
] as const)('§8 a refusal has the text with account and reason: %s', async (language, info, text) => {
  const { api, enter } = await open(language)
  api.refuse(changePassword, { code: 'session.bad-credentials', text: info })
  await enter('wrong', NEXT)
  expect(await screen.findByText(text)).toBeTruthy()
  expect(api.calls(login)).toEqual([])
  expect(findToken(localStorage, 'ht-api')).toBe('two')
  expect(useOwnPassword.getState().isOpen).toBe(true)
})

test('a short new password and a different repetition are named and not sent', async () => {
  const { api, enter, user } = await open()
  await enter(PRESENT, '123456789')
  expect(await screen.findByText('至少 10 个字符')).toBeTruthy()
  await user.type(screen.getByTestId('field-next'), '0')
  expect(await screen.findByText('两次输入的新密码不一致')).toBeTruthy()
  expect(api.calls(changePassword)).toEqual([])
  await user.type(screen.getByTestId('field-repeated'), '0')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(changePassword)).toHaveLength(1))
})

test('if the sign-in after the change fails, the password is changed all the same', async () => {
  const { api, enter } = await open()
  api.disconnect(login)
  await enter(PRESENT, NEXT)
  await waitFor(() => expect(notices()).toContain('修改密码成功'))
  expect(useOwnPassword.getState().isOpen).toBe(false)
})
