import type { Locator, Page } from '@playwright/test'

/**
 * The first visible option with a text in an opened list of choices. antd also has a hidden list for screen readers.
 */
export const option = (page: Page, text: string): Locator =>
  page.locator('.ant-select-item-option').filter({ hasText: text }).filter({ visible: true }).first()
