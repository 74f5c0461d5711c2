import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import {
  expectAddress,
  fillLogin,
  findMenuItem,
  findTab,
  openTabs,
  renderConsole,
} from '../testing/render-console.testkit.tsx'

const REAL = '/ewph/fmreal'
const HISTORY = '/ewph/fmhistory'
const CONTROL = '/ewph/fmcontrol'
const HOME = '/dashboard'

const expectTabs = (...keys: readonly string[]) => waitFor(() => expect(openTabs()).toEqual(keys))

/** Waits until a page is in front: its address is in the address bar, and its tab is marked. */
const expectFront = async (path: string) => {
  await expectAddress(path)
  await waitFor(async () => expect((await findLink(path)).getAttribute('aria-current')).toBe('page'))
}

const findLink = async (path: string) => within(await findTab(path)).getByRole('link')

// The first import of the pages is slow on a busy machine. It is done here, so that no test times out.
beforeAll(async () => {
  await Promise.all([
    import('../../features/valves/fmreal-page.tsx'),
    import('../../features/history/fmhistory-page.tsx'),
    import('../../features/valves/fmcontrol-page.tsx'),
  ])
})

/** Three pages beside the first, each in its tab. */
async function openThree() {
  const opened = await renderConsole({ role: 'dispatcher', address: REAL })
  await findTab(REAL)
  await opened.openPage(HISTORY)
  await opened.openPage(CONTROL)
  await findTab(CONTROL)
  return opened
}

/** The element of the page in front. */
const findPageInFront = () => {
  const [front] = [...document.querySelectorAll<HTMLElement>('main .page')].filter(
    (page) => page.closest('[style*="display: none"]') === null,
  )
  if (!front) throw new Error('no page is in front')
  return front
}

test('§2 View components are cached: a page that is shown again has its old state; a refresh creates it again', async () => {
  const { user, openPage, chooseOfTab } = await renderConsole({ role: 'dispatcher', address: REAL })
  const search = await within(await screen.findByRole('main')).findAllByRole('textbox')
  if (!search[0]) throw new Error('the page has no search box')
  fireEvent.change(search[0], { target: { value: '东苑' } })
  await waitFor(() => expect(location.search).toContain('q='))
  const left = `${location.pathname}${location.search}`
  findPageInFront().dataset.mark = 'first'
  await openPage(HISTORY)
  await user.click(await findLink(REAL))
  await expectAddress(left)
  await waitFor(() => expect(findPageInFront().dataset.mark).toBe('first'))
  expect(search[0]).toHaveProperty('value', '东苑')
  await chooseOfTab(REAL, '刷新')
  await waitFor(() => expect(document.querySelector('[data-mark="first"]')).toBeNull())
  await expectAddress(left)
})

test('§2 Pages marked affix cannot be closed; closing the active tab goes to the last remaining tab', async () => {
  const { user } = await openThree()
  expect(within(await findTab(HOME)).queryByRole('button')).toBeNull()
  await user.click(within(await findTab(CONTROL)).getByRole('button'))
  await expectFront(HISTORY)
  const clickMiddle = async (path: string) =>
    fireEvent(await findTab(path), new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  await clickMiddle(HISTORY)
  await expectFront(REAL)
  await expectTabs(HOME, REAL)
  await clickMiddle(HOME)
  await expectTabs(HOME, REAL)
})

test.each([
  ['at once', () => true],
  ['while the page of the second renders', () => location.pathname === HISTORY],
])('two tabs stay closed if the second is closed %s', async (_when, isReached) => {
  await openThree()
  const [control, history] = [await findTab(CONTROL), await findTab(HISTORY)]
  const close = (tab: HTMLElement) => fireEvent(tab, new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  close(control)
  while (!isReached()) await Promise.resolve()
  close(history)
  await expectFront(REAL)
  await expectTabs(HOME, REAL)
})

test('§2 Its context menu offers close, close others and close all, and closes to the left and to the right', async () => {
  const { openPage, chooseOfTab } = await openThree()
  await chooseOfTab(REAL, '刷新')
  await expectFront(REAL)
  await chooseOfTab(HISTORY, '关闭右侧')
  await expectTabs(HOME, REAL, HISTORY)
  await chooseOfTab(HISTORY, '关闭左侧')
  await expectFront(HISTORY)
  await expectTabs(HOME, HISTORY)
  await openPage(REAL)
  await chooseOfTab(HISTORY, '关闭其他')
  await expectTabs(HOME, HISTORY)
  await openPage(REAL)
  await chooseOfTab(REAL, '关闭')
  await expectTabs(HOME, HISTORY)
  await chooseOfTab(HOME, '关闭全部')
  await expectFront(HOME)
  await expectTabs(HOME)
})

test('the keyboard moves and closes tabs and opens their menu', async () => {
  const { user } = await openThree()
  const focus = async (path: string) => {
    const link = await findLink(path)
    act(() => link.focus())
  }
  const expectFocus = (path: string) =>
    waitFor(() => expect(document.activeElement?.getAttribute('data-tab')).toBe(path))
  await focus(CONTROL)
  await user.keyboard('{ArrowLeft}')
  await expectFocus(HISTORY)
  await user.keyboard('{Home}')
  await expectFocus(HOME)
  await user.keyboard('{End}')
  await expectFocus(CONTROL)
  await user.keyboard('{Control>}{ArrowLeft}{/Control}')
  await expectTabs(HOME, REAL, CONTROL, HISTORY)
  await expectFocus(CONTROL)
  await user.keyboard('{Shift>}{F10}{/Shift}')
  await findMenuItem('关闭全部')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: '关闭全部' })).toBeNull())
  await expectFocus(CONTROL)
  await user.keyboard('{Delete}')
  await expectAddress(HISTORY)
  await expectTabs(HOME, REAL, HISTORY)
})

test('tabs are restored after a reload, each with its last address', async () => {
  const { user, openPage, load } = await renderConsole({
    role: 'dispatcher',
    address: `${REAL}?sort=-flowM3h`,
  })
  await findTab(REAL)
  await openPage(CONTROL)
  await findTab(CONTROL)
  await load()
  await expectTabs(HOME, REAL, CONTROL)
  await user.click(await findLink(REAL))
  await waitFor(() => expect(location.search).toContain('sort='))
})

async function changeUser(
  { user, logOut }: { readonly user: UserEvent; readonly logOut: () => Promise<void> },
  account: string,
): Promise<void> {
  await logOut()
  await expectAddress('/login?redirect=%2F')
  await fillLogin(user, account)
  await expectAddress(HOME)
  await screen.findByTestId('user-menu')
}

test('the next user does not see the tabs of the previous one; tabs of forbidden pages are not restored', async () => {
  const opened = await renderConsole({ role: 'dispatcher', address: CONTROL })
  await findTab(CONTROL)
  await opened.openPage(HISTORY)
  await changeUser(opened, 'viewer')
  await findTab(HOME)
  await expectTabs(HOME)
  const id = sessionStorage.getItem('isotherm.lastUser')
  // A page that only the dispatcher may open does not come back, even if it is among the viewer's own tabs.
  sessionStorage.setItem(`isotherm.tabs.${id}`, JSON.stringify([HOME, CONTROL, HISTORY]))
  await opened.load()
  await findTab(HISTORY)
  await expectTabs(HOME, HISTORY)
})

test('§2 refreshing a background tab brings it to the front as a new history entry; refreshing the front tab adds none', async () => {
  const { chooseOfTab } = await openThree()
  const entries = history.length
  await chooseOfTab(HISTORY, '刷新')
  await expectAddress(HISTORY)
  expect(history.length).toBe(entries + 1)
  await chooseOfTab(HISTORY, '刷新')
  await expectAddress(HISTORY)
  expect(history.length).toBe(entries + 1)
  history.back()
  await expectAddress(CONTROL)
})
