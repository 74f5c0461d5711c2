import { type SeededRole, seededRoles } from '@isotherm/contract/access/roles'
import type { Page } from '@playwright/test'
import { roles } from '../support/accounts.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { type PageEntry, readPages } from '../support/pages.ts'
import { closeAllTabs, goWithin, tab } from '../support/shell.ts'
import { expect, test } from '../support/test.ts'

const pages = await readPages()
const looks = [
  { name: 'a wide screen, light', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'a wide screen, dark', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'a phone', colorScheme: 'light', width: 390, height: 844 },
] as const
/** The look of Playwright's configuration is that in which the administrator opens all pages anyway. */
const [, ...otherLooks] = looks
const languages = { zh: /^zh/, en: /^en/ } as const
/**
 * Pages of open tabs stay in the document, and the check reads the whole document. After this many the tabs are closed, so
 * that the check of each page costs about the same.
 */
const MAX_TABS = 5

/** Waits until a page has content and nothing in it is loading or has failed. */
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
  // The administrator loads every page with its document, and checks the accessibility of each; the others show what each role
  // may open.
  test.describe(role, { tag: role === 'administrator' ? [] : '@slow' }, () => {
    test.use({ role })

    const isWhole = role === 'administrator'
    const title =
      'every permitted page opens in both languages without a word in the console, any other does not exist'

    test(
      isWhole ? `${title}, and none has a serious accessibility violation` : title,
      async ({ page, errors }) => {
        test.setTimeout(30_000 + 20_000 * pages.length)
        expect(
          pages.map(({ path }) => path),
          'pages that the console declares',
        ).toContain('/ewph/fmreal')
        /** `loaded`: each with its document. `checked`: within the document, each for its accessibility. */
        const openAll = async (language: RegExp, how?: 'loaded' | 'checked') => {
          for (const [index, entry] of pages.entries()) {
            await test.step(`${entry.path}, ${language}`, async () => {
              // The guard is the same in both languages, so one language is enough for the pages that are not
              // permitted.
              if (!mayOpen(role, entry) && language !== languages.zh) return
              if (how === 'checked' && index % MAX_TABS === MAX_TABS - 1) await closeAllTabs(page)
              if (how === 'loaded' || (index === 0 && page.url() === 'about:blank'))
                await page.goto(entry.path)
              else await goWithin(page, entry.path)
              if (!mayOpen(role, entry)) {
                await expect(page).toHaveURL(/\/404$/)
                return
              }
              await expect(tab(page, entry.path).locator('[aria-current="page"]')).toBeVisible()
              await expectOpen(page)
              await expect(page).toHaveURL((url) => url.pathname === entry.path)
              await expect(page.locator('html')).toHaveAttribute('lang', language)
              if (how === 'checked')
                expect.soft(await findAccessibilityViolations(page), entry.path).toEqual([])
              expect(errors, entry.path).toEqual([])
            })
          }
        }
        const changeLanguage = async (name: string, language: RegExp) => {
          await page.getByTestId('language').click()
          await page.getByRole('menuitem', { name }).click()
          await expect(page.locator('html')).toHaveAttribute('lang', language)
        }
        if (isWhole) {
          await page.goto('/dashboard')
          await changeLanguage('English', languages.en)
          await openAll(languages.en, 'loaded')
          await closeAllTabs(page)
          await changeLanguage('中文', languages.zh)
          await openAll(languages.zh, 'checked')
        } else {
          await openAll(languages.zh)
          await closeAllTabs(page)
          await changeLanguage('English', languages.en)
          await openAll(languages.en)
        }
      },
    )
  })
}

test.describe('accessibility', () => {
  /** Changes the screen size and colour scheme of the open document. */
  async function showAs(page: Page, { colorScheme, width, height }: (typeof looks)[number]): Promise<void> {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
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

  test.describe('signed in', { tag: '@slow' }, () => {
    test.use({ role: 'administrator' })

    for (const look of otherLooks)
      test(`no page has a serious accessibility violation on ${look.name}`, async ({ page }) => {
        test.setTimeout(30_000 + 20_000 * pages.length)
        // Set before the first document, because beside a map Chromium often ignores a later change of the colour
        // scheme.
        await page.setViewportSize(look)
        await page.emulateMedia({ colorScheme: look.colorScheme })
        await page.goto('/dashboard')
        await expect(page.locator('html')).toHaveAttribute('data-theme', look.colorScheme)
        for (const [index, { path }] of pages.entries()) {
          await test.step(path, async () => {
            if (look.width >= 992 && index % MAX_TABS === MAX_TABS - 1) await closeAllTabs(page)
            await goWithin(page, path)
            await expect(tab(page, path).locator('[aria-current="page"]')).toBeAttached()
            await expectOpen(page)
            expect.soft(await findAccessibilityViolations(page), path).toEqual([])
          })
        }
      })
  })
})
