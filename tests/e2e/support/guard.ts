import type { BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import { expect } from './test.ts'

export const MODULES = '**/Module/GetAllModulesU'

export const modulesAnswer = z
  .object({ data: z.object({ data: z.array(z.object({ url: z.string() }).loose()) }).loose() })
  .loose()

/** Lets the server answer, but with these modules only. */
export async function permitOnly(page: Page, urls: readonly string[]): Promise<void> {
  await page.route(MODULES, async (route) => {
    const response = await route.fetch()
    const body = modulesAnswer.parse(await response.json())
    const data = body.data.data.filter(({ url }) => urls.includes(url))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, data } } })
  })
}

const toAddress = (page: Page): string => {
  const { pathname, search, hash } = new URL(page.url())
  return `${pathname}${search}${hash}`
}

export const expectAddress = (page: Page, address: string) =>
  expect.poll(() => toAddress(page), { message: `address ${address}` }).toBe(address)

export const findToken = (page: Page) =>
  page.evaluate('localStorage.getItem("heighten") ?? localStorage.getItem("heightenplus")')

/** What another tab does when its user logs out. */
export async function endInAnotherTab(context: BrowserContext): Promise<void> {
  const other = await context.newPage()
  await other.goto('/404')
  await other.evaluate('localStorage.removeItem("heightenplus"); localStorage.removeItem("heighten")')
  await other.close()
}
