import type { Page } from '@playwright/test'

/** Fills in the login form of the page. */
export async function signIn(page: Page, account: string, password: string): Promise<void> {
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
}

/** Selects an entry of the command palette, which opens a page without hovering a menu. */
export async function findInPalette(page: Page, path: string) {
  await page.keyboard.press('Control+k')
  const option = page.getByTestId(`palette-page ${path}`)
  await option.waitFor()
  return option
}
