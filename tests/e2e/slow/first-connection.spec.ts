import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import { createClientProcess, referenceClients } from '../../../clients/run-client.testkit.ts'
import { addGateway } from '../support/add-gateway.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'maintenance' })

const closers: (() => unknown)[] = []
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Opens the dialog with the credentials of a concentrator. */
async function openLogin(page: Page, imei: string): Promise<void> {
  await page.goto(`/dev/datadevmanager?q=${imei}`)
  await page
    .getByTestId('record-table')
    .getByTestId(/^record-\d+$/)
    .click()
  await page.getByTestId('device-login').click()
}

test('a device connects by the one-time token that the console shows, and the token is void', {
  tag: '@slow',
}, async ({ page, errors }) => {
  test.setTimeout(5 * MINUTE_MS)
  const unique = randomUUID().slice(0, 8)
  const valve = `V-${unique}`
  const { imei, add } = await addGateway(unique, '令牌网关')
  const valveId = await add('valve', valve, `阀 ${unique}`)
  await openLogin(page, imei)
  await page.getByTestId('token-make').click()
  const values = page.getByTestId('token-shown').locator('dd')
  await expect(values.last()).toContainText('once-')
  expect(await findAccessibilityViolations(page)).toEqual([])
  const texts = (await values.allTextContents()).map((text) => text.trim())
  const [address = '', username = '', password = ''] = [texts[0], ...texts.slice(-2)]

  const client = referenceClients.find(({ name }) => name === 'TypeScript')
  if (!client) throw new Error('no reference client')
  const login = { port: Number(new URL(address).port), username, password, valve }
  const device = createClientProcess(client, login, { boot: 0, intervalS: 1, strokeS: 0.2 })
  closers.push(() => device.close())
  device.start()
  await expect(async () => {
    await openLogin(page, imei)
    await expect(page.getByTestId('token-state')).toContainText('失效：设备改用自己的密码登录', {
      timeout: 5_000,
    })
  }).toPass({ timeout: MINUTE_MS })
  await expect(page.getByTestId('token-state')).toContainText('用它连接')

  await page.goto(`/dev/devdebug?id=${valveId}`)
  await expect(page.getByRole('main')).toContainText('开度20', { timeout: MINUTE_MS })
  expect(errors).toEqual([])
})
