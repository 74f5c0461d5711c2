import type { SeededRole } from '@isotherm/contract/access/roles'
import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { sessionKeys, storeTokens } from '../../../apps/console/src/shared/session/tokens.ts'
import { DEMO_PASSWORD, toAccount } from './accounts.ts'
import { callFor, signInDirectly } from './api.ts'
import { getProductUrl } from './product-url.ts'

export { expect }

/** Fills in and sends the login form of the current page. */
export async function fillLogin(page: Page, account: string, password = DEMO_PASSWORD): Promise<void> {
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
}

/** Opens a path without a session and signs in. Returns when that path is open. */
export async function signIn(page: Page, role: SeededRole, path = '/dashboard'): Promise<void> {
  await page.goto(path)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await fillLogin(page, toAccount(role))
  await expect(page).toHaveURL((url) => url.pathname === path)
}

/** An entry of the local storage. */
type StoredItem = readonly [string, string]

/** Creates a new session for the caller. Returns the entries that the console has in the local storage for it. */
async function openStored(role: SeededRole): Promise<readonly StoredItem[]> {
  const [session, { loginSrcId }] = await Promise.all([signInDirectly(role), callFor(getConsoleSettings, {})])
  const stored = new Map<string, string>([[sessionKeys.loginSource, String(loginSrcId)]])
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  storeTokens(store, session, Date.now())
  return [...stored]
}

let entries = 0

/**
 * Writes entries into the local storage before the first document of a browser loads. (A storage state of Playwright
 * would open another page first, which takes time.) A cookie records that it is done, so entries that the test removes
 * later are not written again.
 */
async function storeBefore(context: BrowserContext, items: readonly StoredItem[]): Promise<void> {
  entries += 1
  const mark = `entered-${entries}=1`
  await context.addInitScript(`
    if (location.origin === ${JSON.stringify(getProductUrl())} && !document.cookie.includes('${mark}')) {
      document.cookie = '${mark}; path=/'
      for (const [name, value] of ${JSON.stringify(items)}) localStorage.setItem(name, value)
    }
  `)
}

/**
 * Opens a path with a new session, which the test may end. Use `signIn` (the form) if the sign-in itself is tested, or if
 * the tab must be able to log in again.
 */
export async function enter(page: Page, role: SeededRole, path = '/dashboard'): Promise<void> {
  await storeBefore(page.context(), await openStored(role))
  await page.goto(path)
  await expect(page.getByTestId('user-menu')).toBeVisible()
}

/** Sessions of this run by role, because each role signs in only once. */
const sessions = new Map<SeededRole, readonly StoredItem[]>()

async function getStored(role: SeededRole): Promise<readonly StoredItem[]> {
  const items = sessions.get(role) ?? (await openStored(role))
  sessions.set(role, items)
  return items
}

/** Collects console messages and errors of the page. Requests cancelled by a navigation are not errors. */
function watchErrors(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      errors.push(`${message.type()}: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
  })
  return errors
}

interface Fixtures {
  /** Role of the user who is signed in at the start; nobody if absent. */
  readonly role: SeededRole | undefined
  /** Warnings and errors in the console of the page, and refused requests. */
  readonly errors: readonly string[]
}

export const test = base.extend<Fixtures>({
  role: [undefined, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  baseURL: async ({}, use) => use(getProductUrl()),
  context: async ({ role, context }, use) => {
    if (role) await storeBefore(context, await getStored(role))
    await use(context)
  },
  errors: async ({ page }, use) => use(watchErrors(page)),
})
