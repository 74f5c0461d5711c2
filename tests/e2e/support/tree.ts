import { treeLevels } from '@isotherm/contract/tree'
import { expect, type Locator, type Page } from '@playwright/test'

/** The first row of a level in the tree, below the rows that are already open. */
const toRow = (page: Page, level: number): Locator =>
  // The root is above level 1 and has ARIA level 1.
  page
    .getByRole('tree')
    .locator(`[role="treeitem"][aria-level="${level + 1}"]`)
    .first()

/**
 * Opens the first node of each level down to the first building, and makes that building current. Returns its label.
 */
export async function openFirstBuilding(page: Page): Promise<string> {
  await expect(page.getByRole('tree')).toBeVisible()
  for (let level = treeLevels.root; level < treeLevels.building; level += 1) {
    const row = toRow(page, level)
    await expect(row).toBeVisible()
    if ((await row.getAttribute('aria-expanded')) !== 'true') {
      await toggle(row).click()
      await expect(row).toHaveAttribute('aria-expanded', 'true')
    }
  }
  const building = toRow(page, treeLevels.building)
  await building.click()
  return (await building.textContent())?.trim() ?? ''
}

/** The page with a tree that opens fastest. */
export const TREE_PAGE = '/ewph/fmcontrol'
/** A page with the tree and the devices of the selected nodes. */
export const VALVES_PAGE = '/ewph/fmreal'

export const treeOf = (page: Page): Locator => page.getByRole('tree')
const exactly = (text: string) => new RegExp(`^${text}$`)
/** Rows of the tree with exactly this name. */
export const row = (page: Page, name: string): Locator =>
  treeOf(page)
    .getByRole('treeitem')
    .filter({ has: page.locator('.tree-label', { hasText: exactly(name) }) })
/** The triangle that opens and closes a row. */
export const toggle = (of: Locator): Locator => of.locator('[data-part="toggle"]')
/** The checkbox of a row. */
export const box = (of: Locator): Locator => of.locator('[data-part="check"]')
export const valveRows = (page: Page): Locator => page.locator('tr[data-testid^="valve-row-"]')

export async function openTree(page: Page, path = TREE_PAGE): Promise<void> {
  await page.goto(path)
  await expect(row(page, '城东区域')).toBeVisible()
}

/**
 * Expands rows by name, one below the other. Begins again if the tree closes stations meanwhile, as it does a second after the
 * addresses of their company are there (specification, section 4).
 */
export async function expand(page: Page, ...names: readonly string[]): Promise<void> {
  await expect(async () => {
    for (const name of names) {
      const each = row(page, name).first()
      if ((await each.getAttribute('aria-expanded', { timeout: 10_000 })) !== 'true')
        await toggle(each).click({ timeout: 10_000 })
      await expect(each).toHaveAttribute('aria-expanded', 'true', { timeout: 10_000 })
    }
  }).toPass({ timeout: 60_000 })
}
