import type { SeededRole } from '@isotherm/contract/access/roles'
import { getConsoleSettings } from '@isotherm/contract/endpoints/administration/console'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { keepTokens, sessionKeys } from '../../../apps/console/src/shared/session/tokens.ts'
import { DEMO_PASSWORD, toAccount } from './accounts.ts'
import { callFor, signInDirectly } from './api.ts'
import { getProductUrl } from './product-url.ts'

export { expect }

/** Fills in and sends the login form of the page that is open. */
export async function fillLogin(page: Page, account: string, password = DEMO_PASSWORD): Promise<void> {
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
}

/** Opens a path without a session and signs in; ends on that path. */
export async function signIn(page: Page, role: SeededRole, path = '/dashboard'): Promise<void> {
  await page.goto(path)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await fillLogin(page, toAccount(role))
  await expect(page).toHaveURL((url) => url.pathname === path)
}

/** Name and value of what lies in the local storage. */
type StoredItem = readonly [string, string]

/** What the console has in the local storage of a browser after a sign-in: of a session that is the caller's own. */
async function openStored(role: SeededRole): Promise<readonly StoredItem[]> {
  const [session, { loginSrcId }] = await Promise.all([signInDirectly(role), callFor(getConsoleSettings, {})])
  const stored = new Map<string, string>([[sessionKeys.loginSource, String(loginSrcId)]])
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  keepTokens(store, session, Date.now())
  return [...stored]
}

let entries = 0

/**
 * Lets the first document of a browser find these in its local storage. A storage state would be written by a page
 * of its own, which each test would have to wait for. A cookie says that it is done: what the test then removes
 * stays away.
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
 * Opens a path in a session of the page's own, which the test may end. Where the sign-in itself is tested, or the
 * tab must be able to log in again, it is done by the form: `signIn`.
 */
export async function enter(page: Page, role: SeededRole, path = '/dashboard'): Promise<void> {
  await storeBefore(page.context(), await openStored(role))
  await page.goto(path)
  await expect(page.getByTestId('user-menu')).toBeVisible()
}

/** Sessions signed in during this run: each role signs in once, as a person would. */
const sessions = new Map<SeededRole, readonly StoredItem[]>()

async function getStored(role: SeededRole): Promise<readonly StoredItem[]> {
  const items = sessions.get(role) ?? (await openStored(role))
  sessions.set(role, items)
  return items
}

/** What the page said in its console or threw; an aborted navigation's cancelled requests are not errors of ours. */
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
  /** The role whose session the page starts with; nobody when absent. */
  readonly role: SeededRole | undefined
  /** Everything the page's console said in warning or error, and every refused request. */
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
