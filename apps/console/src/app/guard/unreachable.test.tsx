import { getAllModulesU } from '@isotherm/contract/endpoints/administration/session'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type FakeProduct, startFakeProduct } from '../testing/fake-product.testkit.ts'
import {
  expectAddress,
  fillLogin,
  findTab,
  logOutInOtherTab,
  renderConsole,
} from '../testing/render-console.testkit.tsx'

/** Longest time until the waiting page retries, ms. */
const RETRIES_WITHIN_MS = 20_000

const findStoredToken = () => localStorage.getItem('heighten') ?? localStorage.getItem('heightenplus')

/** A fake product that does not answer the call for the permitted modules. */
function startWithoutModules(): FakeProduct {
  const product = startFakeProduct()
  product.api.disconnect(getAllModulesU)
  return product
}

test('while the permitted modules cannot be loaded nothing is cleared, and the console opens automatically when the server is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const product = startWithoutModules()
  await renderConsole({ role: 'viewer', address: '/ewph/fmhistory', product })
  await screen.findByTestId('retry-page')
  expect(findStoredToken()).not.toBeNull()
  await expectAddress('/ewph/fmhistory')
  product.api.resume(getAllModulesU)
  vi.advanceTimersByTime(RETRIES_WITHIN_MS)
  await findTab('/ewph/fmhistory')
})

test.each([
  ['a JSON error of a gateway', JSON.stringify({ statusCode: 503, error: 'Service Unavailable' }), 503],
  ['the login page of a network', '<html>Welcome</html>', 200],
])('%s in place of the server clears nothing', async (_what, body, status) => {
  const product = startFakeProduct()
  product.api.replace(getAllModulesU, body, status)
  await renderConsole({ role: 'viewer', address: '/ewph/fmhistory', product })
  await screen.findByTestId('retry-page')
  await expectAddress('/ewph/fmhistory')
  expect(findStoredToken()).not.toBeNull()
})

test('G10: after another user signed in in another tab, this tab does not open the page of the last user', async () => {
  const product = startFakeProduct()
  const { user, load } = await renderConsole({
    role: 'dispatcher',
    address: '/ewph/fmhistory?range=15m',
    product,
  })
  await screen.findByTestId('user-menu')
  product.api.disconnect(getAllModulesU)
  await load()
  await screen.findByTestId('retry-page')
  logOutInOtherTab()
  product.signIn('viewer')
  product.api.resume(getAllModulesU)
  await user.click(screen.getByTestId('retry'))
  await expectAddress('/dashboard')
})

test('the user may log out while the server cannot be reached', async () => {
  const product = startFakeProduct()
  product.api.replace(getAllModulesU, '<html>Bad gateway</html>', 502)
  const { user } = await renderConsole({ role: 'viewer', product })
  await user.click(await screen.findByRole('button', { name: '退出登录' }))
  await expectAddress('/login')
  expect(findStoredToken()).toBeNull()
})

test.each([
  ['zh', '暂时联系不上服务器'],
  ['en', 'The server cannot be reached'],
] as const)(
  'the retry page names the fault in %s, and its button retries at once',
  async (language, words) => {
    const product = startWithoutModules()
    const { user } = await renderConsole({ product, language })
    await fillLogin(user, 'viewer')
    expect(await screen.findByText(words)).toBeTruthy()
    product.api.resume(getAllModulesU)
    await user.click(screen.getByTestId('retry'))
    await screen.findByTestId('user-menu')
  },
)
