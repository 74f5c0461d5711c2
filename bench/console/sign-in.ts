import type { Page } from '@playwright/test'

/** Signs in by the login form of the current page. */
export async function signIn(page: Page, account: string, password: string): Promise<void> {
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(password)
  await page.locator('button[type="submit"]').click()
}

/** Finds the entry of a page in the command palette, which needs no hovering of menus. */
export async function findInPalette(page: Page, path: string) {
  await page.keyboard.press('Control+k')
  const option = page.getByTestId(`palette-page ${path}`)
  await option.waitFor()
  return option
}
