import { logout } from '@isotherm/contract/endpoints/administration/session'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { storeTokens } from '../../shared/session/tokens.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { UserMenu } from './user-menu.tsx'

test('the menu names the user with the account', async () => {
  const { user } = await renderPart(<UserMenu />)
  expect(screen.getByTestId('user-menu').textContent).toBe('王工')
  await user.click(screen.getByTestId('user-menu'))
  expect(await screen.findByText('王工 · operator')).toBeTruthy()
})

test('the menu opens the form in which users change their own password', async () => {
  const { user } = await renderPart(<UserMenu />)
  await user.click(screen.getByTestId('user-menu'))
  await user.click(await screen.findByText('修改密码'))
  expect(await screen.findByTestId('field-present')).toBeTruthy()
})

test('a logout ends the session on the server and shows the login', async () => {
  const api = startFakeApi()
  api.answer(logout, {})
  storeTokens(localStorage, { first: 'one', second: 'two' }, Date.now())
  const { user, address } = await renderPart(<UserMenu />)
  await user.click(screen.getByTestId('user-menu'))
  await user.click(await screen.findByText('注销'))
  await waitFor(() => expect(address()).toMatch(/^\/login/))
  await waitFor(() => expect(api.calls(logout)).toHaveLength(1))
  expect(localStorage.getItem('heighten')).toBeNull()
})
