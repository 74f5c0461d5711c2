import { expect, type Locator, type Page } from '@playwright/test'

const REAL = '/ewph/fmreal'
const HISTORY = '/ewph/fmhistory'
const CONTROL = '/ewph/fmcontrol'
/** Timeout of a step, ms; long enough for a machine with other load. */
const TIMEOUT = { timeout: 30_000 }

const isAt = (path: string) => (url: URL) => url.pathname === path
const tab = (page: Page, path: string): Locator => page.locator(`[data-tab^="${path}"]`).first()
const valveRows = (page: Page): Locator => page.locator('tr[data-testid^="valve-row-"]:visible')
const treeRows = (page: Page): Locator => page.getByRole('tree').getByRole('treeitem')

/** Opens a page by the command palette. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-input').fill(path)
  await page.getByTestId('palette-input').press('Enter')
  await page.waitForURL(isAt(path), TIMEOUT)
}

/** Expands the tree to its deepest row by keyboard, checks that row, searches, and clears both again. */
async function workInTree(page: Page): Promise<void> {
  const tree = page.getByRole('tree')
  await tree.focus()
  await page.keyboard.press('Home')
  for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight')
  const last = treeRows(page)
    .filter({ has: page.locator('[data-part="check"]') })
    .last()
  // Another row may become the last one while the tree loads.
  const deep = tree.locator(`[data-node="${await last.getAttribute('data-node')}"]`)
  await deep.locator('[data-part="check"]').click()
  await expect(deep).toHaveAttribute('aria-checked', 'true', TIMEOUT)
  await page.getByTestId('tree-search').fill('2')
  await page.waitForTimeout(500)
  await page.getByTestId('tree-search').fill('')
  await page.getByTestId('tree-clear').click()
  await expect(tree.locator('[aria-checked="true"]')).toHaveCount(0, TIMEOUT)
}

/** Opens the command panel of the first valve, fills it in and does not send it. */
async function openAndCancelCommand(page: Page): Promise<void> {
  await page.locator('[data-testid^="set-opening-"]:visible').first().click()
  await page.getByTestId('opening-input').fill('42')
  await page.getByTestId('reason-input').fill('only looking')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('opening-input')).toHaveCount(0, TIMEOUT)
}

/** Opens the history chart of the first valve. */
async function openHistory(page: Page): Promise<void> {
  await page.locator('[data-testid^="valve-history-"]:visible').first().click()
  await page.waitForURL(isAt(HISTORY), TIMEOUT)
  await page.locator('main canvas:visible').first().waitFor(TIMEOUT)
}

/** Selects an item of a menu. Repeats until it takes effect, because a click can miss a menu that is still moving. */
async function selectIn(
  page: Page,
  menu: string,
  item: RegExp,
  attribute: string,
  value: RegExp,
): Promise<void> {
  await expect(async () => {
    await page.getByTestId(menu).click({ timeout: 5_000 })
    await page.getByRole('menuitem', { name: item }).click({ timeout: 5_000 })
    await expect(page.locator('html')).toHaveAttribute(attribute, value, { timeout: 5_000 })
  }).toPass(TIMEOUT)
}

async function switchLanguageAndTheme(page: Page): Promise<void> {
  await selectIn(page, 'language', /English/, 'lang', /^en/)
  await selectIn(page, 'theme', /Dark/, 'data-theme', /dark/)
  await selectIn(page, 'theme', /Light/, 'data-theme', /light/)
  await selectIn(page, 'language', /中文/, 'lang', /^zh/)
}

async function closeTab(page: Page, path: string): Promise<void> {
  const open = tab(page, path)
  while ((await open.count()) > 0) {
    const left = await page.locator('[data-tab]').count()
    await open.click({ button: 'middle' })
    await expect(page.locator('[data-tab]')).toHaveCount(left - 1, TIMEOUT)
  }
}

export async function signIn(page: Page, url: string, account: string, password: string): Promise<void> {
  await page.goto(`${url}/dashboard`)
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(isAt('/dashboard'), TIMEOUT)
  await page.getByTestId('palette-open').waitFor(TIMEOUT)
}

/** One cycle of an operator's work. It starts and ends on the start page with no other tab open. */
export async function runCycle(page: Page): Promise<void> {
  await openPage(page, REAL)
  await valveRows(page).first().waitFor(TIMEOUT)
  await workInTree(page)
  await valveRows(page).first().waitFor(TIMEOUT)
  await openAndCancelCommand(page)
  await openHistory(page)
  await openPage(page, CONTROL)
  await tab(page, REAL).click()
  await page.waitForURL(isAt(REAL), TIMEOUT)
  await switchLanguageAndTheme(page)
  await openPage(page, '/dashboard')
  for (const path of [HISTORY, CONTROL, REAL]) await closeTab(page, path)
}
