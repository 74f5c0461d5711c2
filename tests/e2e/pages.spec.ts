import { type SeededRole, seededRoles } from '@isotherm/contract/roles'
import type { Page } from '@playwright/test'
import { roles } from './support/accounts.ts'
import { findBarriers } from './support/axe.ts'
import { type PageEntry, readPages } from './support/pages.ts'
import { goWithin, tab } from './support/shell.ts'
import { expect, test } from './support/test.ts'

const pages = await readPages()
const looks = [
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['light', 390, 844],
] as const
const languages = ['zh-CN', 'en-GB'] as const

/** A page is there when it holds something and nothing in it still waits or has failed. */
async function expectOpen(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await expect(main).toHaveText(/\S/)
  await expect(main.locator('.state[role="status"]')).toHaveCount(0)
  await expect(main.locator('.state[role="alert"]')).toHaveCount(0)
}

test('the console declares pages', () => {
  expect(pages.map(({ path }) => path)).toContain('/ewph/fmreal')
})

const mayOpen = (role: SeededRole, { permission }: PageEntry): boolean =>
  permission === undefined || seededRoles[role].some((value) => value === permission)

for (const role of roles) {
  for (const locale of languages) {
    test.describe(`${role}, ${locale}`, () => {
      test.use({ role, locale })

      test('every permitted page opens without a word in the console, any other does not exist', async ({
        page,
        errors,
      }) => {
        test.setTimeout(30_000 + 10_000 * pages.length)
        for (const [index, entry] of pages.entries()) {
          await test.step(entry.path, async () => {
            // One role loads the document with each page, the others go on within it.
            if (role === 'administrator' || index === 0) await page.goto(entry.path)
            else await goWithin(page, entry.path)
            if (!mayOpen(role, entry)) {
              await expect(page).toHaveURL(/\/404$/)
              return
            }
            await expect(tab(page, entry.path).locator('[aria-current="page"]')).toBeVisible()
            await expectOpen(page)
            await expect(page).toHaveURL((url) => url.pathname === entry.path)
            await expect(page.locator('html')).toHaveAttribute(
              'lang',
              locale.startsWith('zh') ? /^zh/ : /^en/,
            )
            expect(errors, entry.path).toEqual([])
          })
        }
      })
    })
  }
}

test.describe('accessibility', () => {
  for (const [colorScheme, width, height] of looks) {
    test.describe(`${colorScheme}, ${width}×${height}`, () => {
      test.use({ colorScheme, viewport: { width, height } })

      test('the login page has no serious barrier', async ({ page }) => {
        await page.goto('/login')
        await expect(page.locator('input[type="password"]')).toBeVisible()
        expect(await findBarriers(page)).toEqual([])
      })

      test.describe('signed in', () => {
        test.use({ role: 'administrator' })

        test('no page has a serious barrier', async ({ page }) => {
          test.setTimeout(30_000 + 15_000 * pages.length)
          for (const { path } of pages) {
            await test.step(path, async () => {
              await page.goto(path)
              await expectOpen(page)
              expect.soft(await findBarriers(page), path).toEqual([])
            })
          }
        })
      })
    })
  }
})
