import { endOwnSessions, getOwnSessions } from '@isotherm/contract/endpoints/administration/user-access'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { hashPassword } from '../../../shared/session/password.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import OwnSessions from './own-sessions.tsx'
import { showOwnSessions, useOwnSessions } from './own-sessions-store.ts'

beforeEach(() => showOwnSessions(true))

const toSession = (id: number, address: string, isThis = false) => ({
  id,
  uid: 7,
  address,
  createdAt: 1_790_000_000_000,
  expiresAt: 1_790_007_200_000,
  isThis,
})

async function open(others: readonly string[], needsPassword = true) {
  const api = startFakeApi()
  const datalist = [
    toSession(1, '10.0.0.1', true),
    ...others.map((address, nr) => toSession(nr + 2, address)),
  ]
  api.answer(getOwnSessions, { datalist, total: datalist.length, needsPassword })
  api.answer(endOwnSessions, { ended: 1 })
  return { api, ...(await renderPart(<OwnSessions />, { language: 'en' })) }
}
const notices = () => useNotices.getState().notices.map(({ text }) => text)

test('a chosen session is ended with the password, and the own one is not offered', async () => {
  const { api, user } = await open(['10.0.0.2', '10.0.0.3'])
  expect(await screen.findAllByRole('checkbox')).toHaveLength(2)
  expect(screen.getByText(/10\.0\.0\.1/).textContent).toContain('this one')
  await user.click(screen.getByRole('checkbox', { name: /10\.0\.0\.3/ }))
  await user.type(screen.getByTestId('field-present'), '现在的密码')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(notices()).toEqual(['End the chosen sessions success']))
  expect(api.calls(endOwnSessions)).toEqual([{ ids: [3], password: hashPassword('现在的密码') }])
  expect(useOwnSessions.getState().isOpen).toBe(false)
})

test('an account with two-step sign-in needs a code', async () => {
  const { api, user } = await open(['10.0.0.2'])
  api.refuse(endOwnSessions, { code: 'session.second-factor', text: 'Enter the code' })
  await user.click(await screen.findByRole('checkbox'))
  await user.type(screen.getByTestId('field-present'), '现在的密码')
  await user.click(screen.getByTestId('form-save'))
  await user.type(await screen.findByTestId('field-code'), '123456')
  await user.click(screen.getByTestId('form-save'))
  const password = hashPassword('现在的密码')
  await waitFor(() => expect(api.calls(endOwnSessions)[1]).toEqual({ ids: [2], password, code: '123456' }))
})

test('an account of another authority needs no password', async () => {
  const { api, user } = await open(['10.0.0.2'], false)
  await user.click(await screen.findByRole('checkbox'))
  expect(screen.queryByTestId('field-present')).toBeNull()
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(endOwnSessions)).toEqual([{ ids: [2] }]))
})

test('an account without other sessions sees that there are none', async () => {
  await open([])
  expect(await screen.findByText('There are no other sessions of this account.')).toBeTruthy()
  expect(screen.queryByTestId('form-save')).toBeNull()
})
