import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setScreenWidth } from '../../shared/testing/browser.testkit.ts'
import { findTab, renderConsole } from '../testing/render-console.testkit.tsx'

const PAGE = '/ewph/fmcontrol'

test('§1 Id 0 gives a company-specific title and logo; 128 the title 二网平衡系统 and no logo, above it 二网平衡监控系统', async () => {
  const { load } = await renderConsole({ role: 'dispatcher' })
  const readBrand = () => document.querySelector('.brand')
  await waitFor(() => expect(document.title).toMatch(/和源热力集团$/))
  await waitFor(() => expect(readBrand()?.textContent).toBe('和源热力集团'))
  expect(screen.getByTestId('company-logo')).toBeTruthy()
  localStorage.setItem('loginSrcId', '128')
  await load()
  await waitFor(() => expect(document.title).toMatch(/二网平衡系统$/))
  await waitFor(() => expect(readBrand()?.textContent).toBe('二网平衡监控系统'))
  expect(readBrand()?.querySelector('img, svg')).toBeNull()
})

test('§8 Full-screen unsupported: warning 您的浏览器不支持全屏', async () => {
  const { user } = await renderConsole({ role: 'dispatcher' })
  await user.click(await screen.findByTestId('full-screen'))
  expect(await screen.findByText('您的浏览器不支持全屏')).toBeTruthy()
})

test('the language changes at once and is remembered', async () => {
  const { chooseFrom, load } = await renderConsole({ role: 'dispatcher', address: PAGE })
  await findTab(PAGE)
  await chooseFrom('language', 'English')
  await waitFor(() => expect(document.documentElement.lang).toMatch(/^en/))
  await waitFor(async () => expect((await findTab(PAGE)).textContent).toBe('Valve control'))
  await load()
  expect((await findTab(PAGE)).textContent).toBe('Valve control')
})

test('the theme changes at once, is remembered, and follows the system when it shall', async () => {
  const { chooseFrom, load } = await renderConsole({ role: 'dispatcher' })
  const expectTheme = (theme: string) =>
    waitFor(() => expect(document.documentElement.dataset.theme).toBe(theme))
  await chooseFrom('theme', '深色')
  await expectTheme('dark')
  document.documentElement.dataset.theme = ''
  await load()
  await expectTheme('dark')
  await chooseFrom('theme', '跟随系统')
  await expectTheme('light')
  globalThis.happyDOM.settings.device.prefersColorScheme = 'dark'
  // The light DOM notices a change of the system with the next change of its size.
  setScreenWidth(1441)
  await expectTheme('dark')
  await load()
  await expectTheme('dark')
})

test.each([
  ['zh-CN', '阀门控制管理'],
  ['en-GB', 'Valve control'],
])('§1 Page language follows the browser: %s', async (locale, title) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([locale])
  await renderConsole({ role: 'dispatcher', address: PAGE, language: 'browser' })
  expect((await findTab(PAGE)).textContent).toBe(title)
})

test.each([
  [991, 0],
  [992, 1],
])(
  '§2 The layout switches to mobile mode when the width is under 992px: at %i px %i sidebar is open',
  async (widthPx, count) => {
    await renderConsole({ role: 'dispatcher', address: PAGE, widthPx })
    await findTab(PAGE)
    await screen.findByTestId('sidebar-toggle')
    expect(document.querySelectorAll('.side')).toHaveLength(count)
  },
)

test('§2 the tree panel is found as it was left: collapsed after a reload', async () => {
  const { user, load } = await renderConsole({ role: 'dispatcher', address: PAGE })
  await screen.findByRole('tree')
  await user.click(screen.getByTestId('sidebar-toggle'))
  await waitFor(() => expect(screen.queryByRole('tree')).toBeNull())
  await load()
  await findTab(PAGE)
  expect(screen.queryByRole('tree')).toBeNull()
  await user.click(screen.getByTestId('sidebar-toggle'))
  await screen.findByRole('tree')
})

test('the tree panel is made wider by the keyboard, remembered, and put back', async () => {
  const { load } = await renderConsole({ role: 'dispatcher', address: PAGE })
  const readWidth = async () => Number((await screen.findByTestId('side-edge')).getAttribute('aria-valuenow'))
  expect(await readWidth()).toBe(280)
  fireEvent.keyDown(await screen.findByTestId('side-edge'), { key: 'ArrowRight' })
  await waitFor(async () => expect(await readWidth()).toBe(296))
  await load()
  expect(await readWidth()).toBe(296)
  fireEvent.doubleClick(await screen.findByTestId('side-edge'))
  await waitFor(async () => expect(await readWidth()).toBe(280))
})

test('§2 Mobile mode has a drawer background; the drawer closes on it and on navigation', async () => {
  const { user } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmhistory', widthPx: 390 })
  await user.click(await screen.findByTestId('sidebar-toggle'))
  await screen.findByRole('tree')
  const mask = document.querySelector('.ant-drawer-mask')
  if (!mask) throw new Error('the drawer has no background')
  await user.click(mask)
  await waitFor(() => expect(screen.queryByRole('tree', { hidden: false })).toBeNull())
  await user.click(screen.getByTestId('menu-open'))
  await user.click(await screen.findByRole('menuitem', { name: /阀门控制管理/ }))
  await waitFor(() => expect(location.pathname).toBe(PAGE))
  await waitFor(() =>
    expect(screen.queryByRole('menuitem', { name: /阀门控制管理/, hidden: false })).toBeNull(),
  )
})
