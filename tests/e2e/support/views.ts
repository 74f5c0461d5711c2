import type { Page } from '@playwright/test'
import { findAccessibilityViolations } from './axe.ts'
import { expect } from './test.ts'

const desktop = { screen: 'desktop', viewport: { width: 1440, height: 900 }, hasTouch: false } as const
const phone = { screen: 'phone', viewport: { width: 390, height: 844 }, hasTouch: true } as const
const zh = { language: 'zh', locale: 'zh-CN' } as const
const en = { language: 'en', locale: 'en-GB' } as const

/**
 * The screens and languages in which people administer an installation. Roles, layout and colours are checked for
 * accessibility in the first two: the others combine the same layouts and texts.
 */
export const views = [
  { ...desktop, ...zh, isChecked: true },
  { ...phone, ...en, isChecked: true },
  { ...desktop, ...en, isChecked: false },
  { ...phone, ...zh, isChecked: false },
] as const

/** Checks the open page for serious accessibility violations, in the views where that is done. */
export async function expectAccessible(page: Page, { isChecked }: (typeof views)[number]): Promise<void> {
  if (isChecked) expect(await findAccessibilityViolations(page)).toEqual([])
}
