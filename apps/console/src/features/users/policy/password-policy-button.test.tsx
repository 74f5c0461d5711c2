import { defaultPasswordRules } from '@isotherm/contract/access/password-rules'
import {
  editPasswordPolicy,
  getPasswordPolicy,
} from '@isotherm/contract/endpoints/administration/password-policy'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { PasswordPolicyButton } from './password-policy-button.tsx'

const companies = [
  { id: 4, name: '东热', tenant: 'east', timeZone: 'Asia/Shanghai', version: 1, abilities: [] },
]
const policy = { companyId: 4, rules: { ...defaultPasswordRules, minLength: 12 }, version: 3, mayEdit: true }

async function open(given: Partial<typeof policy> = {}, permissions: readonly string[] = ['ps-usersys']) {
  const api = startFakeApi()
  api.answer(getPasswordPolicy, { ...policy, ...given })
  const part = await renderPart(<PasswordPolicyButton type="01" companies={companies} />, { permissions })
  return { api, ...part }
}

test('staff of a company see its rules at once, and a change is saved with the version that was seen', async () => {
  const { api, user } = await open()
  api.answer(editPasswordPolicy, { ...policy, version: 4 })
  await user.click(screen.getByTestId('password-policy'))
  const length = await screen.findByLabelText(/最小长度/)
  expect(length).toHaveProperty('value', '12')
  expect(screen.queryByLabelText('适用范围')).toBeNull()
  await user.clear(length)
  await user.type(length, '14')
  await user.click(screen.getByLabelText(/首次登录须修改密码/))
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(useNotices.getState().notices.map(({ text }) => text)).toEqual(['密码策略成功']))
  expect(api.calls(editPasswordPolicy)).toEqual([
    { companyId: 4, version: 3, ...defaultPasswordRules, minLength: 14, mustChangeGiven: true },
  ])
})

test('rules that the server does not accept are not sent', async () => {
  const { api, user } = await open()
  await user.click(screen.getByTestId('password-policy'))
  const length = await screen.findByLabelText(/最小长度/)
  await user.clear(length)
  await user.type(length, '3')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('不能小于 8')).toBeTruthy()
  expect(api.calls(editPasswordPolicy)).toEqual([])
})

test('who may only read the rules gets no form, and who administers no users gets no button', async () => {
  const { user, unmount } = await open({ mayEdit: false })
  await user.click(screen.getByTestId('password-policy'))
  expect(await screen.findByText(/不能修改/)).toBeTruthy()
  expect(screen.queryByTestId('form-save')).toBeNull()
  unmount()
  await open({}, ['pu-usersetting'])
  expect(screen.queryByTestId('password-policy')).toBeNull()
})
