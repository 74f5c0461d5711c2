import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'
import type { Page } from '@playwright/test'
import { roles } from '../support/accounts.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { type PageEntry, readPages } from '../support/pages.ts'
import { closeAllTabs, goWithin, tab } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

const pages = await readPages()
const looks = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'light', width: 390, height: 844 },
] as const

/** A page is there when it holds something and nothing in it still waits or has failed. */
async function expectOpen(page: Page): Promise<void> {
  const main = page.getByRole('main')
  // Only visible text counts, not the text of other open pages.
  await expect(main).toHaveText(/\S/, { useInnerText: true })
  await expect(main.locator('.state[role="status"]:visible')).toHaveCount(0)
  await expect(main.locator('.state[role="alert"]:visible')).toHaveCount(0)
}

const mayOpen = (role: SeededRole, { permission }: PageEntry): boolean =>
  permission === undefined || seededRoles[role].some((value) => value === permission)

for (const role of roles) {
  test.describe(role, () => {
    test.use({ role })

    test('every permitted page opens in both languages without a word in the console, any other does not exist', async ({
      page,
      errors,
    }) => {
      test.setTimeout(30_000 + 20_000 * pages.length)
      expect(
        pages.map(({ path }) => path),
        'pages that the console declares',
      ).toContain('/ewph/fmreal')
      const openAll = async (language: RegExp, loadsEach: boolean) => {
        for (const [index, entry] of pages.entries()) {
          await test.step(`${entry.path}, ${language}`, async () => {
            if (loadsEach || (index === 0 && page.url() === 'about:blank')) await page.goto(entry.path)
            else await goWithin(page, entry.path)
            if (!mayOpen(role, entry)) {
              await expect(page).toHaveURL(/\/404$/)
              return
            }
            await expect(tab(page, entry.path).locator('[aria-current="page"]')).toBeVisible()
            await expectOpen(page)
            await expect(page).toHaveURL((url) => url.pathname === entry.path)
            await expect(page.locator('html')).toHaveAttribute('lang', language)
            expect(errors, entry.path).toEqual([])
          })
        }
      }
      // One role loads the document with each page, the others go on within it.
      await openAll(/^zh/, role === 'administrator')
      await closeAllTabs(page)
      await page.getByTestId('language').click()
      await page.getByRole('menuitem', { name: 'English' }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', /^en/)
      await openAll(/^en/, false)
    })
  })
}

test.describe('accessibility', () => {
  /** Shows the document that is open as another screen does. */
  async function showAs(page: Page, { colorScheme, width, height }: (typeof looks)[number]): Promise<void> {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  }

  /** Chooses the theme as a user does: beside a map, Chromium often keeps an emulated change of the system to itself. */
  async function chooseTheme(page: Page, { colorScheme }: (typeof looks)[number]): Promise<void> {
    await page.getByTestId('theme').click()
    await page.getByRole('menuitem', { name: colorScheme === 'light' ? '浅色' : '深色' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await expect(page.getByRole('menuitem', { name: '跟随系统' })).toBeHidden()
  }

  test('the login page has no serious accessibility violation, light, dark or on a phone', async ({
    page,
  }) => {
    await page.goto('/login')
    await expect(page.locator('input[type="password"]')).toBeVisible()
    for (const look of looks) {
      await showAs(page, look)
      expect.soft(await findAccessibilityViolations(page), JSON.stringify(look)).toEqual([])
    }
  })

  test.describe('signed in', () => {
    test.use({ role: 'administrator' })

    const screens = [
      ['a wide screen, light and dark', looks.filter(({ width }) => width >= 992)],
      ['a phone', looks.filter(({ width }) => width < 992)],
    ] as const
    for (const [screen, shown] of screens)
      test(`no page has a serious accessibility violation on ${screen}`, async ({ page }) => {
        test.setTimeout(30_000 + 20_000 * pages.length)
        const [first] = shown
        if (first) await page.setViewportSize(first)
        await page.goto('/dashboard')
        for (const { path } of pages) {
          await test.step(path, async () => {
            await goWithin(page, path)
            await expect(tab(page, path).locator('[aria-current="page"]')).toBeAttached()
            await expectOpen(page)
            for (const look of shown) {
              if (shown.length > 1) await chooseTheme(page, look)
              expect.soft(await findAccessibilityViolations(page), `${path}, ${look.colorScheme}`).toEqual([])
            }
          })
        }
      })
  })
})
