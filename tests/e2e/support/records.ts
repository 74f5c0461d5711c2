import { expect, type Locator, type Page } from '@playwright/test'

/** A record of a list by a part of its text: the button of a row or of a card. */
export const record = (page: Page, name: string): Locator =>
  page.locator('button[data-testid^="record-"]').filter({ hasText: name }).filter({ visible: true }).first()

/** What lists of records say in each language. */
export const listTexts = {
  zh: { oneDone: '已完成 1 / 1', total: (count: string) => new RegExp(`^共 ${count} 项$`) },
  en: { oneDone: '1 of 1 done', total: (count: string) => new RegExp(`^Records: ${count}$`) },
} as const
type ListTexts = (typeof listTexts)[keyof typeof listTexts]

/** Confirms an action on the selected record, and closes its result. */
export async function confirmBulk(page: Page, { oneDone }: ListTexts, action: string): Promise<void> {
  await page.getByTestId(`bulk-${action}`).click()
  await page.getByTestId('bulk-start').click()
  await expect(page.getByTestId('bulk-result')).toHaveText(oneDone)
  await page.getByTestId('bulk-close').click()
}

/** Selects the only listed record, confirms an action on it, and closes its result. */
export async function actOnOnly(page: Page, texts: ListTexts, action: string): Promise<void> {
  await expect(page.getByTestId('record-total')).toHaveText(texts.total('1'))
  await page.getByRole('checkbox').last().click()
  await confirmBulk(page, texts, action)
}
