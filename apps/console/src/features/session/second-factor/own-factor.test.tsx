import {
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  startSecondFactor,
} from '@isotherm/contract/endpoints/administration/second-factor'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { clearTokens, storeTokens } from '../../../shared/session/tokens.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import OwnFactor from './own-factor.tsx'
import { showOwnFactor, useOwnFactor } from './own-factor-store.ts'

const PASSWORD = '现在的密码'
const credentials = { username: 'operator', password: hashPassword(PASSWORD) }

const tokenHashes = ['t1', 't2'].map(hashPassword)

beforeEach(() => {
  storeTokens(localStorage, { first: 't1', second: 't2' }, Date.now())
  showOwnFactor(true)
})
afterEach(() => clearTokens(localStorage))

async function open(state: { readonly isOn: boolean; readonly isRequired: boolean }) {
  const api = startFakeApi()
  api.answer(getSecondFactor, { ...state, recoveryCodesLeft: state.isOn ? 9 : 0 })
  return { api, ...(await renderPart(<OwnFactor />)) }
}
const notices = () => useNotices.getState().notices.map(({ text }) => text)

test('it is turned on by the password, the first code and the stored recovery codes', async () => {
  const { api, user } = await open({ isOn: false, isRequired: false })
  api.answer(startSecondFactor, {
    secret: 'ABCDEFGH',
    url: 'otpauth://totp/Isotherm:operator?secret=ABCDEFGH',
  })
  api.answer(confirmSecondFactor, { recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'] })
  await user.type(await screen.findByTestId('field-present'), PASSWORD)
  await user.click(screen.getByTestId('form-save'))
  await user.type(await screen.findByTestId('factor-code'), '123456')
  await user.click(screen.getByTestId('factor-confirm'))
  expect((await screen.findByTestId('recovery-codes')).textContent).toContain('AAAA-BBBB-CCCC-DDDD')
  expect(notices()).toEqual([])
  await user.click(screen.getByTestId('factor-stored'))
  await waitFor(() => expect(notices()).toEqual(['开启两步验证成功']))
  expect(api.calls(startSecondFactor)).toEqual([credentials])
  expect(api.calls(confirmSecondFactor)).toEqual([{ ...credentials, code: '123456', tokenHashes }])
  expect(useOwnFactor.getState().isOpen).toBe(false)
})

test('a wrong password is explained where the key would be', async () => {
  const { api, user } = await open({ isOn: false, isRequired: false })
  api.refuse(startSecondFactor, { code: 'session.bad-credentials', text: '账号或密码错误' })
  await user.type(await screen.findByTestId('field-present'), 'no')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText(/账号或密码错误/)).toBeTruthy()
})

test('it is turned off by the password and a code', async () => {
  const { api, user } = await open({ isOn: true, isRequired: false })
  api.refuse(removeSecondFactor, { code: 'session.wrong-code', text: '动态验证码错误' })
  expect(await screen.findByText(/还有 9 个恢复码/)).toBeTruthy()
  await user.type(screen.getByTestId('field-present'), PASSWORD)
  await user.type(screen.getByTestId('field-code'), '000000')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText(/动态验证码错误/)).toBeTruthy()
  api.answer(removeSecondFactor, {})
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(notices()).toEqual(['关闭两步验证成功']))
  expect(api.calls(removeSecondFactor).at(-1)).toEqual({ ...credentials, code: '000000', tokenHashes })
})

test('a role that requires it leaves nothing to turn off', async () => {
  await open({ isOn: true, isRequired: true })
  expect(await screen.findByText(/您的角色或密码策略要求两步验证/)).toBeTruthy()
  expect(screen.queryByTestId('form-save')).toBeNull()
})
