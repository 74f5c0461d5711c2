import { expect, type Locator, type Page } from '@playwright/test'

const REAL = '/ewph/fmreal'
const HISTORY = '/ewph/fmhistory'
const CONTROL = '/ewph/fmcontrol'
/** Timeout, ms; sufficient for a machine with other load. */
const PATIENCE = { timeout: 30_000 }

const isAt = (path: string) => (url: URL) => url.pathname === path
const tab = (page: Page, path: string): Locator => page.locator(`[data-tab^="${path}"]`).first()
const valveRows = (page: Page): Locator => page.locator('tr[data-testid^="valve-row-"]:visible')
const treeRows = (page: Page): Locator => page.getByRole('tree').getByRole('treeitem')

/** Opens a page by the command palette. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette-input').fill(path)
  await page.getByTestId('palette-input').press('Enter')
  await page.waitForURL(isAt(path), PATIENCE)
}

/** Opens the tree from the top to its deepest row by keyboard, checks something there, and closes it all again. */
async function workInTree(page: Page): Promise<void> {
  const tree = page.getByRole('tree')
  await tree.focus()
  await page.keyboard.press('Home')
  for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight')
  const deep = treeRows(page)
    .filter({ has: page.locator('[data-part="check"]') })
    .last()
  await deep.locator('[data-part="check"]').click()
  await expect(deep).toHaveAttribute('aria-checked', 'true', PATIENCE)
  await page.getByTestId('tree-search').fill('2')
  await page.waitForTimeout(500)
  await page.getByTestId('tree-search').fill('')
  await page.getByTestId('tree-clear').click()
  await expect(tree.locator('[aria-checked="true"]')).toHaveCount(0, PATIENCE)
}

/** Opens the command panel of the first valve, fills it in and does not send it. */
async function thinkTwice(page: Page): Promise<void> {
  await page.locator('[data-testid^="set-opening-"]:visible').first().click()
  await page.getByTestId('opening-input').fill('42')
  await page.getByTestId('reason-input').fill('only looking')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('opening-input')).toHaveCount(0, PATIENCE)
}

/** Opens the history chart of the first valve. */
async function lookBack(page: Page): Promise<void> {
  await page.locator('[data-testid^="valve-history-"]:visible').first().click()
  await page.waitForURL(isAt(HISTORY), PATIENCE)
  await page.locator('main canvas:visible').first().waitFor(PATIENCE)
}

/** Selects from a menu until it takes effect: on a busy machine a click can miss a menu that is still moving. */
async function chooseIn(
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
  }).toPass(PATIENCE)
}

async function switchLooks(page: Page): Promise<void> {
  await chooseIn(page, 'language', /English/, 'lang', /^en/)
  await chooseIn(page, 'theme', /Dark/, 'data-theme', /dark/)
  await chooseIn(page, 'theme', /Light/, 'data-theme', /light/)
  await chooseIn(page, 'language', /中文/, 'lang', /^zh/)
}

async function closeTab(page: Page, path: string): Promise<void> {
  const open = tab(page, path)
  while ((await open.count()) > 0) {
    const left = await page.locator('[data-tab]').count()
    await open.click({ button: 'middle' })
    await expect(page.locator('[data-tab]')).toHaveCount(left - 1, PATIENCE)
  }
}

export async function signIn(page: Page, url: string, account: string, password: string): Promise<void> {
  await page.goto(`${url}/dashboard`)
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(isAt('/dashboard'), PATIENCE)
  await page.getByTestId('palette-open').waitFor(PATIENCE)
}

/** The repeated work of an operator; starts and ends on the start page with no other tab open. */
export async function doRound(page: Page): Promise<void> {
  await openPage(page, REAL)
  await valveRows(page).first().waitFor(PATIENCE)
  await workInTree(page)
  await valveRows(page).first().waitFor(PATIENCE)
  await thinkTwice(page)
  await lookBack(page)
  await openPage(page, CONTROL)
  await tab(page, REAL).click()
  await page.waitForURL(isAt(REAL), PATIENCE)
  await switchLooks(page)
  await openPage(page, '/dashboard')
  for (const path of [HISTORY, CONTROL, REAL]) await closeTab(page, path)
}
