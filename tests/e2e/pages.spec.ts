import { fileURLToPath } from 'node:url'
import { seededRoles } from '@isotherm/contract/roles'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { roles } from './support/accounts.ts'
import { readPages } from './support/pages.ts'
import { expect, test } from './support/test.ts'

const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
const pages = await readPages()
const languages = ['zh-CN', 'en-GB'] as const

const axeResult = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      help: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
})

/** Findings that keep a person from using the page, each in a few lines. */
async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axePath })
  const result = axeResult.parse(await page.evaluate('axe.run()'))
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`)
}

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

for (const role of roles) {
  for (const locale of languages) {
    test.describe(`${role}, ${locale}`, () => {
      test.use({ role, locale })
      for (const { path, permission } of pages) {
        const isPermitted =
          permission === undefined || seededRoles[role].some((value) => value === permission)
        if (isPermitted) {
          test(`${path} opens without a word in the console`, async ({ page, errors }) => {
            await page.goto(path)
            await expectOpen(page)
            await expect(page.locator('html')).toHaveAttribute(
              'lang',
              locale.startsWith('zh') ? /^zh/ : /^en/,
            )
            expect(errors).toEqual([])
          })
        } else {
          test(`${path} does not exist`, async ({ page }) => {
            await page.goto(path)
            await expect(page).toHaveURL(/\/404$/)
          })
        }
      }
    })
  }
}

test.describe('accessibility', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(colorScheme, () => {
      test.use({ colorScheme })

      test('the login page has no serious barrier', async ({ page }) => {
        await page.goto('/login')
        await expect(page.locator('input[type="password"]')).toBeVisible()
        expect(await findBarriers(page)).toEqual([])
      })

      test.describe('signed in', () => {
        test.use({ role: 'administrator' })
        for (const { path } of pages) {
          test(`${path} has no serious barrier`, async ({ page }) => {
            await page.goto(path)
            await expectOpen(page)
            expect(await findBarriers(page)).toEqual([])
          })
        }
      })
    })
  }
})
