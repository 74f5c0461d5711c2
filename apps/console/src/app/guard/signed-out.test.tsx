import { getAllModulesU } from '@isotherm/contract/endpoints/administration/session'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PASSWORD } from '../testing/fake-product.testkit.ts'
import {
  changeInOtherTab,
  expectAddress,
  fillLogin,
  logOutInOtherTab,
  renderConsole,
} from '../testing/render-console.testkit.tsx'

const findStoredToken = () => localStorage.getItem('heighten') ?? localStorage.getItem('heightenplus')

test('§2 any other path goes to /login?redirect={path}, and back with query and hash', async () => {
  const { user } = await renderConsole({ address: '/ewph/fmhistory?range=15m#chart' })
  await expectAddress('/login?redirect=%2Fewph%2Ffmhistory%3Frange%3D15m%23chart')
  await fillLogin(user, 'viewer')
  await expectAddress('/ewph/fmhistory?range=15m#chart')
})

test('the address after a login is always in the console: //example.org/x', async () => {
  const { user } = await renderConsole({
    address: `/login?redirect=${encodeURIComponent('//example.org/x')}`,
  })
  await fillLogin(user, 'viewer')
  await expectAddress('/dashboard')
})

test('§2 username and password in a query are stored for the form and removed from address and history at once', async () => {
  const entries = history.length
  const address = `/dashboard?x=1&username=viewer&password=${encodeURIComponent(PASSWORD)}#h`
  const { user } = await renderConsole({ address })
  await expectAddress('/login?redirect=%2Fdashboard%3Fx%3D1%23h')
  expect(await screen.findByLabelText('账号')).toHaveProperty('value', 'viewer')
  expect(screen.getByLabelText('密码')).toHaveProperty('value', PASSWORD)
  expect(JSON.stringify(history.state) + location.href).not.toContain(PASSWORD)
  await user.click(screen.getByTestId('login-submit'))
  await expectAddress('/dashboard?x=1#h')
  expect(history.length, 'no redirect makes an entry').toBe(entries)
})

test('G7: a password inside the redirect address is removed from the address bar', async () => {
  const inner = new URLSearchParams({ username: 'a', password: 'secret' })
  const query = new URLSearchParams({ redirect: `/ewph/fmreal?sort=flow&${inner}` })
  await renderConsole({ address: `/login?${query}` })
  await expectAddress('/login?redirect=%2Fewph%2Ffmreal%3Fsort%3Dflow')
})

test('§2 guard failure: 用户权限有问题 for 5 s, both tokens cleared, /login?redirect={path}', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { user, api } = await renderConsole({ address: '/ewph/fmreal' })
  api.replace(getAllModulesU, JSON.stringify({ message: 'failed', status: '500', data: null }))
  await fillLogin(user, 'viewer')
  expect(await screen.findByText(/用户权限有问题/)).toBeTruthy()
  await expectAddress('/login?redirect=%2Fewph%2Ffmreal')
  expect(findStoredToken()).toBeNull()
  vi.advanceTimersByTime(3_500)
  expect(screen.queryByText(/用户权限有问题/)).not.toBeNull()
  vi.advanceTimersByTime(2_000)
  await waitFor(() => expect(screen.queryByText(/用户权限有问题/)).toBeNull())
})

test('a login for a page without permission opens / and names the page', async () => {
  const { user } = await renderConsole({ address: '/ewph/fmcontrol' })
  await fillLogin(user, 'viewer')
  await expectAddress('/dashboard')
  expect(await screen.findByText(/您的账号不能打开 \/ewph\/fmcontrol/)).toBeTruthy()
})

test('after a login, a different user does not return to the page of the last user; the same user does', async () => {
  const { user } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmhistory' })
  await screen.findByTestId('user-menu')
  logOutInOtherTab()
  await expectAddress('/login?redirect=%2Fewph%2Ffmhistory')
  await fillLogin(user, 'dispatcher')
  await expectAddress('/ewph/fmhistory')
  await screen.findByTestId('user-menu')
  logOutInOtherTab()
  await expectAddress('/login?redirect=%2Fewph%2Ffmhistory')
  await fillLogin(user, 'viewer')
  await expectAddress('/dashboard')
})

test('§2 the route table is rebuilt on logout: the next user has other pages', async () => {
  const { user, logOut } = await renderConsole({
    role: 'dispatcher',
    address: '/ewph/fmcontrol',
    widthPx: 900,
  })
  await logOut()
  await expectAddress('/login?redirect=%2F')
  await fillLogin(user, 'viewer')
  await expectAddress('/dashboard')
  await user.click(await screen.findByTestId('menu-open'))
  await user.click(await within(await screen.findByRole('dialog')).findByText('灌溉监控'))
  expect(await screen.findByRole('menuitem', { name: /阀门实时监测/ })).toBeTruthy()
  expect(screen.queryByRole('menuitem', { name: /阀门控制管理/ })).toBeNull()
})

test('a login in another tab also opens the requested page in this tab', async () => {
  const { product } = await renderConsole({ address: '/ewph/fmhistory' })
  await expectAddress('/login?redirect=%2Fewph%2Ffmhistory')
  await screen.findByLabelText('账号')
  product.signIn('viewer')
  changeInOtherTab({ heighten: localStorage.getItem('heighten') })
  await expectAddress('/ewph/fmhistory')
})
