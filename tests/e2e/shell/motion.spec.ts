import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

test.use({ role: 'administrator' })

/** Number of animations and transitions that start in the document while `act` runs. */
async function countMovements(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`
    window.movements = 0
    window.count ??= () => { window.movements += 1 }
    for (const kind of ['animationstart', 'transitionrun']) addEventListener(kind, window.count)
  `)
  await act()
  return page.evaluate<number>('window.movements')
}

const transitionOf = (page: Page, selector: string, part = ''): Promise<string> =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector('${selector}'), '${part}').transitionDuration`,
  )

test('What a user asks of the system, less motion, is done at once, and nothing on a page is lost by it', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/ewph/fmreal')
  const menu = page.getByTestId('user-menu')
  const search = page.getByRole('main').getByRole('textbox').first()
  await search.fill('东苑')
  await expect(page.locator('.tree-toggle').first()).toBeVisible()
  const openAndClose = async () => {
    await menu.click()
    await expect(page.getByRole('menu').last()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('.ant-dropdown:visible')).toHaveCount(0)
  }
  expect(await countMovements(page, openAndClose)).toBeGreaterThan(0)
  expect(await transitionOf(page, '.tree-toggle', '::before')).toBe('0.12s')
  await page.evaluate('document.querySelector("main .page").dataset.mark = "still the same"')

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(() => transitionOf(page, '[data-testid="user-menu"]')).toBe('0s')
  expect(await transitionOf(page, '.tree-toggle', '::before')).toBe('0s')
  expect(await countMovements(page, openAndClose)).toBe(0)
  await expect(search).toHaveValue('东苑')
  await expect(page.locator('main .page')).toHaveAttribute('data-mark', 'still the same')

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(() => countMovements(page, openAndClose)).toBeGreaterThan(0)
  await expect(page.locator('main .page')).toHaveAttribute('data-mark', 'still the same')
})
