import { treeLevels } from '@isotherm/contract/tree'
import { expect, type Locator, type Page } from '@playwright/test'

/** The row of the tree which is in front at a level below the rows already opened. */
const toRow = (page: Page, level: number): Locator =>
  // The root stands above level 1 and has ARIA level 1 itself.
  page
    .getByRole('tree')
    .locator(`[role="treeitem"][aria-level="${level + 1}"]`)
    .first()

/** Opens the first node of each level down to the first building and makes that current. Returns its label. */
export async function openFirstBuilding(page: Page): Promise<string> {
  await expect(page.getByRole('tree')).toBeVisible()
  for (let level = treeLevels.root; level < treeLevels.building; level += 1) {
    const row = toRow(page, level)
    await expect(row).toBeVisible()
    if ((await row.getAttribute('aria-expanded')) !== 'true') {
      await row.locator('[data-testid^="tree-toggle-"], .tree-toggle').first().click()
      await expect(row).toHaveAttribute('aria-expanded', 'true')
    }
  }
  const building = toRow(page, treeLevels.building)
  await building.click()
  return (await building.textContent())?.trim() ?? ''
}
