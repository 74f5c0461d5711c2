import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** Width of the element that a selector finds, px. */
export const widthOf = async (page: Page, selector: string): Promise<number | undefined> =>
  (await page.locator(selector).boundingBox())?.width
export const heightOf = async (page: Page, selector: string): Promise<number | undefined> =>
  (await page.locator(selector).boundingBox())?.height
/** The tab of a page in the strip. */
export const tab = (page: Page, path: string): Locator => page.getByTestId(`tab-${path}`)
/** Keys of the open tabs, in order. */
export const openKeys = (page: Page): Promise<readonly string[]> =>
  page.locator('[data-tab]').evaluateAll((links) => links.map((link) => String(link.dataset.tab)))

/** Waits for the shell and opens the command palette. */
export async function openPalette(page: Page): Promise<void> {
  await expect(page.getByTestId('palette-open')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByTestId('palette-input')).toBeFocused()
}

/** Opens a page by the palette, without a reload of the document. */
export async function openByPalette(page: Page, path: string): Promise<void> {
  await openPalette(page)
  await page.getByTestId('palette-input').fill(path)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((url) => url.pathname === path)
}

/** Opens an address without a reload of the document, like the back button of the browser. */
export const goWithin = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`)

/** Closes all tabs except the first, in either language, so that pages opened later are new. */
export async function closeAllTabs(page: Page): Promise<void> {
  await tab(page, '/dashboard').click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^(关闭全部|Close all)$/ }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/dashboard')
  await expect.poll(() => openKeys(page)).toEqual(['/dashboard'])
}
