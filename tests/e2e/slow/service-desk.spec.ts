import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { expectAccessible, views } from '../support/views.ts'

const texts = {
  zh: {
    sheet: '入户测温单',
    clock: '剩余',
    shut: '门窗关闭 30 分钟以上',
    inTime: '按时测温',
  },
  en: {
    sheet: 'Room temperature measurement',
    clock: 'h left',
    shut: 'Doors and windows shut for 30 minutes',
    inTime: 'Measured in time',
  },
} as const

/**
 * What the page prints: its text and the number of sheets. The browser without a screen sends no events when it prints, so
 * they are sent here.
 */
async function print(page: Page): Promise<{ readonly text: string; readonly sheets: number }> {
  await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
  await page.emulateMedia({ media: 'print' })
  const text = await page.locator('body').innerText()
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  await page.emulateMedia({ media: null })
  await page.evaluate("window.dispatchEvent(new Event('afterprint'))")
  return { text, sheets: pdf.match(/\/Type \/Page\b/g)?.length ?? 0 }
}

for (const view of views.filter(({ isChecked }) => isChecked)) {
  const { screen, language, locale, viewport, hasTouch } = view
  const text = texts[language]

  test.describe(`the service desk, ${screen}, ${language}`, { tag: '@slow' }, () => {
    test.use({ locale, viewport, hasTouch, role: 'service' })

    test('goes from home to the coldest rooms, records a complaint, prints its sheet and records the visit', async ({
      page,
      errors,
    }) => {
      const resident = `Wang ${screen} ${Date.now()}`
      const firstRecord = page
        .getByTestId(/^record-\d+$/)
        .filter({ visible: true })
        .first()
      const row = page.getByRole('main').filter({ hasText: resident })

      await test.step('home shows the coldest rooms and leads to them', async () => {
        await page.goto('/dashboard')
        await expect(page.getByTestId('home-cold-rooms').locator('li').first()).toContainText('°C')
        await expectAccessible(page, view)
        const panel = page.locator('section, article').filter({ has: page.getByTestId('home-cold-rooms') })
        await panel.getByRole('link').first().click()
        await expect(page).toHaveURL(/\/rtjc\/rtalarm/)
      })

      await test.step('the complaint of a room starts the clock of 24 hours', async () => {
        await page.goto('/rtjc/rtalarm?section=rooms&state=ok')
        await firstRecord.click()
        await page.getByTestId('add-complaint').click()
        await page.getByTestId('complaint-resident').fill(resident)
        await page.getByTestId('complaint-phone').fill('139 0000 0000')
        await page.getByTestId('complaint-complaint').fill('bedroom')
        await expectAccessible(page, view)
        await page.getByTestId('save-complaint').click()
        await expect(page.getByTestId('add-complaint')).toBeVisible()
      })

      await test.step('home shows what waits for a visit', async () => {
        await page.goto('/dashboard')
        await expect(page.getByTestId('home-visits')).toContainText('bedroom')
      })

      await test.step('the sheet is one page with the place, the resident and both signatures', async () => {
        await page.goto(`/rtjc/rtalarm?section=visits&q=${encodeURIComponent(resident)}`)
        await expect(row).toContainText(text.clock)
        await firstRecord.click()
        await expect(page.getByTestId('visit-print')).toBeVisible()
        const paper = await print(page)
        expect(paper.sheets).toBe(1)
        for (const what of [text.sheet, resident, '139 0000 0000', 'bedroom', `☐ ${text.shut}`])
          expect(paper.text).toContain(what)
      })

      await test.step('the measured value, its conditions and the inspector end the clock', async () => {
        await page.getByTestId('visit-measured').fill('17.5')
        await page.getByLabel(text.shut).check()
        await page.getByTestId('visit-inspector').fill('Li')
        await expectAccessible(page, view)
        await page.getByTestId('save-visit').click()
        await expect(row).toContainText(text.inTime)
        await firstRecord.click()
        await expect(page.getByTestId('visit-drawer')).toContainText('17.5')
        const paper = await print(page)
        expect(paper.text).toContain(`☑ ${text.shut}`)
      })
      expect(errors).toEqual([])
    })
  })
}
