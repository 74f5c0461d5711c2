import type { Page } from '@playwright/test'
import { expect } from './test.ts'

export const MODULES = '**/Module/GetAllModulesU'

const toAddress = (page: Page): string => {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname}${search}${hash}`
}

export const expectAddress = (page: Page, address: string) =>
  expect.poll(() => toAddress(page), { message: `address ${address}` }).toBe(address)

export const findToken = (page: Page) =>
  page.evaluate('localStorage.getItem("heighten") ?? localStorage.getItem("heightenplus")')
