import type { SeededRole } from '@isotherm/contract/access/roles'
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, vi } from 'vitest'
import { LANGUAGE_KEY, type Language } from '../../shared/i18n/language.ts'
import { recordListeners, setScreenWidth } from '../../shared/testing/browser.testkit.ts'
import { stubLayout } from '../../shared/testing/layout.testkit.ts'
import { type FakeProduct, PASSWORD, startFakeProduct } from './fake-product.testkit.ts'

export interface ConsoleOptions {
  /** Address of the browser, default `/dashboard`. */
  readonly address?: string
  /** Role that is signed in; nobody by default. */
  readonly role?: SeededRole
  /** Default: Chinese. `browser` leaves the choice to the browser's languages. */
  readonly language?: Language | 'browser'
  /** Width of the screen, px. Default 1440. */
  readonly widthPx?: number
  /** The product to use, if the test changes it before the console starts. */
  readonly product?: FakeProduct
}

/** Loads the console's code again, like a new document, and shows it. Returns the function that leaves the page. */
async function loadDocument(): Promise<() => void> {
  vi.resetModules()
  const removeListeners = recordListeners()
  const [{ App }, { DocumentTitle }, { loadTexts }, { startI18n }, { loadConsoleSettings }, { router }] =
    await Promise.all([
      import('../app.tsx'),
      import('../layout/document-title.tsx'),
      import('../locales.ts'),
      import('../../shared/i18n/i18n.ts'),
      import('../../shared/installation/console-settings.ts'),
      import('../router.tsx'),
    ])
  await startI18n(loadTexts)
  void loadConsoleSettings()
  render(
    <>
      <DocumentTitle />
      <App />
    </>,
  )
  return () => {
    window.dispatchEvent(new Event('pagehide'))
    cleanup()
    router.dispose()
    removeListeners()
  }
}

/** Path, query and hash of the browser. */
export const readAddress = (): string => `${location.pathname}${location.search}${location.hash}`

export const expectAddress = (address: string): Promise<void> =>
  waitFor(() => expect(readAddress()).toBe(address))

/** Keys of the open tabs, in order. */
export const openTabs = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-tab]')].map((link) => link.dataset.tab)

/** The tab of a page in the strip, once it is there. */
export const findTab = (path: string): Promise<HTMLElement> => screen.findByTestId(`tab-${path}`)

/** Navigates to an address within the document, like the buttons of the browser. */
export async function goWithin(address: string): Promise<void> {
  await act(async () => {
    history.pushState(null, '', address)
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
  })
}

/** Entry of an open menu. Its icon may add to its accessible name. */
export const findMenuItem = (name: string): Promise<HTMLElement> =>
  screen.findByRole('menuitem', { name: new RegExp(`(^| )${name}$`) })

/** Fills in and sends the login form. */
export async function fillLogin(user: UserEvent, account: string, password = PASSWORD): Promise<void> {
  const field = await screen.findByLabelText(/^(账号|Account)$/)
  await user.clear(field)
  await user.type(field, account)
  const passwordField = screen.getByLabelText(/^(密码|Password)$/)
  await user.clear(passwordField)
  await user.type(passwordField, password)
  await user.click(screen.getByTestId('login-submit'))
}

/** What another tab of this browser does to the shared storage; this tab gets the event. */
export function changeInOtherTab(change: Readonly<Record<string, string | null>>): void {
  for (const [key, newValue] of Object.entries(change)) {
    const oldValue = localStorage.getItem(key)
    if (newValue === null) localStorage.removeItem(key)
    else localStorage.setItem(key, newValue)
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }))
    })
  }
}

/** Another tab of this browser logs out. */
export const logOutInOtherTab = (): void => changeInOtherTab({ heightenplus: null, heighten: null })

/**
 * Opens the whole console with real router, guard, shell, tabs and tree, on the fake product. Each call loads the
 * console's code anew, as a browser does for a document.
 */
export async function renderConsole(options: ConsoleOptions = {}) {
  const { address = '/dashboard', role, language = 'zh', widthPx = 1440 } = options
  const product = options.product ?? startFakeProduct()
  // The console updates at any time without an action of the test; a test waits for what it expects.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  // Testing Library takes seconds to compute which elements of such a large document are visible, so it is off by default.
  configure({ defaultHidden: true })
  stubLayout()
  setScreenWidth(widthPx)
  globalThis.happyDOM.settings.device.prefersReducedMotion = 'reduce'
  if (language !== 'browser') localStorage.setItem(LANGUAGE_KEY, language)
  if (role) product.signIn(role)
  history.replaceState(null, '', address)
  const user = userEvent.setup({ delay: null })
  let leave = await loadDocument()
  onTestFinished(() => {
    leave()
    vi.resetModules()
  })

  /** Chooses an entry of a menu that opens from a part of the page. */
  const chooseFrom = async (opener: string, name: string): Promise<void> => {
    await user.click(await screen.findByTestId(opener))
    await user.click(await findMenuItem(name))
  }

  return {
    product,
    api: product.api,
    user,
    chooseFrom,
    /** Leaves the page and opens an address in a new document of the same tab; by default the present one. */
    async load(next = readAddress()): Promise<void> {
      leave()
      history.replaceState(null, '', next)
      leave = await loadDocument()
    },
    logOut: () => chooseFrom('user-menu', '注销'),
    /** Opens a page within the document, and waits for its tab. */
    async openPage(path: string): Promise<void> {
      await goWithin(path)
      await findTab(path)
    },
    /** Chooses an entry of a tab's own menu. */
    async chooseOfTab(path: string, name: string): Promise<void> {
      fireEvent.contextMenu(await findTab(path))
      await user.click(await findMenuItem(name))
    },
  }
}
