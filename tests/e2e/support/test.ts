import type { SeededRole } from '@isotherm/contract/roles'
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD, toAccount } from './accounts.ts'
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

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Sessions signed in during this run: each role signs in once, as a person would. */
const states = new Map<SeededRole, StorageState>()

async function getState(browser: Browser, role: SeededRole): Promise<StorageState> {
  const known = states.get(role)
  if (known) return known
  const context = await browser.newContext({ baseURL: getProductUrl() })
  try {
    const page = await context.newPage()
    await signIn(page, role)
    const state = await context.storageState()
    states.set(role, state)
    return state
  } finally {
    await context.close()
  }
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
  storageState: async ({ browser, role, storageState }, use) =>
    use(role ? await getState(browser, role) : storageState),
  errors: async ({ page }, use) => use(watchErrors(page)),
})
