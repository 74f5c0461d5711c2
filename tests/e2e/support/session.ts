import type { Page } from '@playwright/test'
import { z } from 'zod'
import { expect } from './test.ts'

const text = z.string().nullable()

export const readStored = async (page: Page, key: string): Promise<string | null> =>
  text.parse(await page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`))

export const isLogin = (url: URL): boolean => url.pathname === '/login'

/** Ends the session on the server; the browser is not notified. */
export async function endOnServer(page: Page): Promise<void> {
  const token = (await readStored(page, 'heighten')) ?? ''
  const answer = await page.request.post('/usrCloud/user/logout', { headers: { token }, data: { opType: 1 } })
  expect(await answer.json()).toMatchObject({ info: 'ok' })
}

export const findDialog = (page: Page) => page.getByRole('dialog', { name: '登录已过期' })

export async function logOut(page: Page): Promise<void> {
  await page.getByTestId('user-menu').click()
  await page.getByRole('menuitem', { name: '注销' }).click()
}

/** Status of a call to the first backend with this token. */
export async function findStatus(page: Page, token: unknown): Promise<unknown> {
  const response = await page.request.post('/usrCloud/user/getUser', {
    headers: { token: String(token ?? '') },
    data: {},
  })
  return z.object({ status: z.unknown() }).parse(await response.json()).status
}
