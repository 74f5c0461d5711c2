import { login, logout, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PASSWORD } from '../../../app/testing/fake-product.testkit.ts'
import {
  expectAddress,
  fillLogin,
  logOutInOtherTab,
  renderConsole,
} from '../../../app/testing/render-console.testkit.tsx'
import { hashPassword } from '../../../shared/session/password.ts'

/** A server that could not be notified of a logout is notified at least this often, ms. */
const NOTIFIED_WITHIN_MS = 25_000

test('empty fields show an error, the first one gets the focus, and nothing is sent', async () => {
  const { user, api } = await renderConsole({ address: '/login' })
  await user.click(await screen.findByTestId('login-submit'))
  expect(await screen.findByText('请输入账号')).toBeTruthy()
  expect(screen.getByText('请输入密码')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('账号'))
  await user.type(screen.getByLabelText('账号'), 'viewer')
  await user.click(screen.getByTestId('login-submit'))
  expect(document.activeElement).toBe(screen.getByLabelText('密码'))
  expect(api.calls(login)).toEqual([])
})

test('the user can show and hide the password', async () => {
  const { user } = await renderConsole({ address: '/login' })
  const password = await screen.findByLabelText('密码')
  await user.type(password, 'geheim')
  const show = screen.getByRole('button', { name: '显示密码' })
  await user.click(show)
  expect(password).toHaveProperty('type', 'text')
  expect(password).toHaveProperty('value', 'geheim')
  await user.click(show)
  expect(password).toHaveProperty('type', 'password')
})

test('managers of passwords recognise the fields, and a password can be pasted', async () => {
  const { user } = await renderConsole({ address: '/login' })
  const password = await screen.findByLabelText('密码')
  expect(screen.getByLabelText('账号').getAttribute('autocomplete')).toBe('username')
  expect(password.getAttribute('autocomplete')).toBe('current-password')
  expect(password).toHaveProperty('type', 'password')
  await user.click(password)
  await user.paste('from a manager')
  expect(password).toHaveProperty('value', 'from a manager')
})

test('§8 {account} failure reason: {info}, without revealing whether the account exists', async () => {
  const { user } = await renderConsole({ address: '/login' })
  await fillLogin(user, 'nobody-of-that-name', 'not the password')
  expect((await screen.findByTestId('login-error')).textContent).toContain(
    'nobody-of-that-name 失败原因：账号或密码错误',
  )
})

test('§8 the English text of a failed login has the words of the specification', async () => {
  const { user } = await renderConsole({ address: '/login', language: 'en' })
  await fillLogin(user, 'nobody-of-that-name', 'not the password')
  expect((await screen.findByTestId('login-error')).textContent).toContain(
    'nobody-of-that-name failure reason: ',
  )
})

test('§5 the login account is trimmed, the password is hashed before sending', async () => {
  const { user, api } = await renderConsole({ address: '/login' })
  await fillLogin(user, '  service ')
  await expectAddress('/dashboard')
  const sent = { username: 'service', password: hashPassword(PASSWORD) }
  expect(api.calls(login)).toEqual([sent])
  expect(api.calls(tokenLogin)).toEqual([sent])
})

test('§9 heighten, heightenplus, ExpiresAt 2 hours ahead, loginSrcId; the stored password is encoded', async () => {
  const before = Date.now()
  const { user } = await renderConsole({ address: '/login' })
  await fillLogin(user, 'viewer')
  await expectAddress('/dashboard')
  for (const key of ['heighten', 'heightenplus', 'loginSrcId'])
    expect(localStorage.getItem(key), key).toBeTruthy()
  const expiresAt = Number(localStorage.getItem('ExpiresAt'))
  expect(expiresAt).toBeGreaterThanOrEqual(before + 120 * MINUTE_MS)
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + 120 * MINUTE_MS)
  const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
  expect(stored).toContain('isotherm.login.sealed')
  expect(stored).not.toContain(PASSWORD)
  expect(stored).not.toContain(hashPassword(PASSWORD))
})

test("§8 second-backend login, missing response: 'response null'; status not 200: 'response status error'", async () => {
  const { user, api } = await renderConsole({ address: '/login' })
  api.replace(tokenLogin, 'null')
  await fillLogin(user, 'viewer')
  expect((await screen.findByTestId('login-error')).textContent).toContain('response null')
  api.replace(tokenLogin, JSON.stringify({ message: '不行', status: '500', data: null }))
  await user.click(screen.getByTestId('login-submit'))
  await waitFor(() =>
    expect(screen.getByTestId('login-error').textContent).toContain('response status error'),
  )
  expect(localStorage.getItem('heighten')).toBeNull()
})

test('a delayed login counts the seconds and then allows a retry', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user, api } = await renderConsole({ address: '/login' })
  api.refuse(login, {
    code: 'session.slowed',
    text: '登录尝试过多，请 600 秒后再试',
    params: { retryAfterS: 600 },
  })
  await fillLogin(user, 'viewer')
  const submit = screen.getByTestId('login-submit')
  const readSeconds = () => Number(/请 (\d+) 秒后再试/.exec(submit.textContent)?.[1])
  await waitFor(() => expect(readSeconds()).toBeGreaterThan(300))
  const before = readSeconds()
  vi.advanceTimersByTime(100_000)
  await waitFor(() => expect(readSeconds()).toBeLessThanOrEqual(before - 100))
  expect(submit).toHaveProperty('disabled', true)
  vi.advanceTimersByTime(600_000)
  await waitFor(() => expect(submit.textContent).toMatch(/^登录$/))
  expect(submit).toHaveProperty('disabled', false)
})

test('a demo names its accounts on the login; a click fills one in', async () => {
  const { user } = await renderConsole({ address: '/login' })
  await user.click(within(await screen.findByTestId('demo-accounts')).getByRole('button', { name: '只读' }))
  await user.click(screen.getByTestId('login-submit'))
  await expectAddress('/dashboard')
  expect((await screen.findByTestId('user-menu')).textContent).toBe('viewer')
})

test('§2 log out, then go to /login?redirect=/; §4 both tokens are cleared, here and on the server', async () => {
  const { product, logOut } = await renderConsole({ role: 'irrigation' })
  const token = localStorage.getItem('heighten') ?? ''
  await logOut()
  await expectAddress('/login?redirect=%2F')
  expect(await screen.findByText(/注销成功/)).toBeTruthy()
  expect(localStorage.getItem('heighten')).toBeNull()
  expect(localStorage.getItem('heightenplus')).toBeNull()
  await waitFor(() => expect(product.isAlive(token)).toBe(false))
})

test('S6: a logout in another tab leaves this tab at the login, without a dialog', async () => {
  await renderConsole({ role: 'irrigation' })
  await screen.findByTestId('user-menu')
  logOutInOtherTab()
  await expectAddress('/login?redirect=%2Fdashboard')
  expect(screen.queryByRole('dialog', { name: '登录已过期' })).toBeNull()
})

test('S6: logout works with the server down, which is notified once it is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { product, api, logOut } = await renderConsole({ role: 'irrigation' })
  const token = localStorage.getItem('heighten') ?? ''
  await screen.findByTestId('user-menu')
  api.disconnect(logout)
  await logOut()
  await expectAddress('/login?redirect=%2F')
  expect(await screen.findByText(/未能通知服务器/)).toBeTruthy()
  expect(localStorage.getItem('heighten')).toBeNull()
  expect(product.isAlive(token)).toBe(true)
  api.resume(logout)
  vi.advanceTimersByTime(NOTIFIED_WITHIN_MS)
  await waitFor(() => expect(product.isAlive(token)).toBe(false))
})
