import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toAccount } from '../../../app/testing/fake-product.testkit.ts'
import {
  type ConsoleOptions,
  changeInOtherTab,
  expectAddress,
  fillLogin,
  findTab,
  goWithin,
  logOutInOtherTab,
  renderConsole,
} from '../../../app/testing/render-console.testkit.tsx'

const PAGE = '/ewph/fmcontrol'
const BANNER = '登录已过期，数据不再更新'

const TEXT = /用户信息已过期，请重新登录|User info has expired, please log in again/

const toDialog = (text: HTMLElement): HTMLElement => {
  const dialog = text.closest('[role="dialog"]')
  if (!(dialog instanceof HTMLElement)) throw new Error('the text is in no dialog')
  return dialog
}
const findDialog = async () => toDialog(await screen.findByText(TEXT, { selector: '.relogin-text' }))
const expectNoDialog = () => waitFor(() => expect(screen.queryByRole('dialog', { hidden: false })).toBeNull())
const expectNoBanner = () => waitFor(() => expect(screen.queryByText(BANNER)).toBeNull())

/** Logs in by the form, so that this tab can log in again, and ends the session on the server. */
async function openExpired(options: ConsoleOptions = {}) {
  const opened = await renderConsole({ address: PAGE, ...options })
  await fillLogin(opened.user, toAccount('maintenance'))
  await screen.findByTestId('user-menu')
  await findTab(PAGE)
  opened.product.endSessions('maintenance')
  await goWithin('/ewph/fmhistory')
  await goWithin(PAGE)
  // The live stream of the console finds the end of the session first.
  opened.product.live.send({ type: 'expired' })
  return opened
}

const press = async (user: Awaited<ReturnType<typeof renderConsole>>['user'], name: string) =>
  user.click(within(await findDialog()).getByRole('button', { name: new RegExp(name) }))

test('S4: §8 one confirm dialog with Re-Login and Cancel; Re-Login continues all calls', async () => {
  const { user, product } = await openExpired()
  expect((await findDialog()).textContent).toContain('登录已过期')
  expect(screen.getAllByText(TEXT, { selector: '.relogin-text' })).toHaveLength(1)
  const old = localStorage.getItem('heighten')
  await press(user, '重新登录')
  await expectNoDialog()
  await waitFor(() => expect(localStorage.getItem('heighten')).not.toBe(old))
  expect(product.isAlive(localStorage.getItem('heighten') ?? '')).toBe(true)
  await waitFor(() => expect(screen.queryByTestId('live-lost')).toBeNull())
  expect(screen.getByTestId('user-menu')).toBeTruthy()
})

test('S4: §8 a Re-Login in another tab closes the dialog here too', async () => {
  const { product } = await openExpired()
  await findDialog()
  product.signIn('maintenance')
  changeInOtherTab({ heighten: localStorage.getItem('heighten') })
  await expectNoDialog()
  expect(screen.getByTestId('user-menu')).toBeTruthy()
})

test('§8 Cancel leaves the page as it is, marked as expired; the banner asks again', async () => {
  const { user } = await openExpired()
  await press(user, '取消')
  await expectNoDialog()
  const banner = (await screen.findByText(BANNER)).closest('[role="alert"]')
  if (!(banner instanceof HTMLElement)) throw new Error('the banner is no alert')
  await user.click(within(banner).getByRole('button', { name: '重新登录' }))
  await press(user, '重新登录')
  await expectNoBanner()
  await expectAddress(PAGE)
})

test('a tab without a stored login shows the login and then returns to its page', async () => {
  const { user, product } = await renderConsole({ role: 'maintenance', address: '/ewph/fmhistory' })
  await findTab('/ewph/fmhistory')
  await waitFor(() => expect(product.live.connections.length).toBeGreaterThan(0))
  product.endSessions('maintenance')
  product.live.send({ type: 'expired' })
  await press(user, '重新登录')
  await expectAddress('/login?redirect=%2Fewph%2Ffmhistory')
  await fillLogin(user, 'maintenance')
  await expectAddress('/ewph/fmhistory')
})

test('the dialog stays open if the server cannot be reached', async () => {
  const { user, api } = await openExpired()
  api.disconnect(login)
  await press(user, '重新登录')
  expect((await within(await findDialog()).findByRole('alert')).textContent).toContain('网络连接失败')
  api.resume(login)
  await press(user, '重新登录')
  await expectNoDialog()
})

test('S7: a logout in another tab is not undone by a Re-Login under way', async () => {
  const { user, api } = await openExpired()
  api.stall(tokenLogin)
  await press(user, '重新登录')
  await waitFor(() => expect(api.calls(login)).toHaveLength(2))
  logOutInOtherTab()
  await expectAddress('/login?redirect=%2Fewph%2Ffmcontrol')
  expect(localStorage.getItem('heighten')).toBeNull()
})

test('§8 User info has expired, please log in again: Re-Login and Cancel', async () => {
  const { user } = await openExpired({ language: 'en', widthPx: 390 })
  const dialog = await findDialog()
  expect(dialog.textContent).toContain('Session expired')
  expect(dialog.textContent).toContain('User info has expired, please log in again')
  expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: /Re-Login/ }))
  await expectNoDialog()
})
