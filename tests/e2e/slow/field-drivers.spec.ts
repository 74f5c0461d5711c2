import { randomUUID } from 'node:crypto'
import type { DeviceKind } from '@isotherm/contract/devices'
import { getGatewayConfig, setGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { getGatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { findFreePort } from '@isotherm/engines/process-life'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import { addGateway } from '../support/add-gateway.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { type FieldSide, fieldSides } from '../support/field-side.ts'
import { runGateway } from '../support/run-gateway.ts'
import { expect, test } from '../support/test.ts'

// The table of the history has only visible rows in the document, so the screen is as high as all of them.
test.use({ role: 'administrator', viewport: { width: 1440, height: 5_000 } })

const closers: (() => unknown)[] = []
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Device that counts, by its metric. */
const counterKinds: Readonly<Record<string, DeviceKind>> = {
  'heat.energy': 'heat-meter',
  'temp.room': 'room-sensor',
}

/** The values of one metric of a device that the history shows, oldest first. */
async function readHistory(page: Page, deviceId: number, metric: string): Promise<number[]> {
  await page.goto(`/ewph/fmhistory?devices=${deviceId}&metrics=${metric}&range=1h&view=table`)
  const cells = page.locator('.ant-table-row .ant-table-cell:nth-child(3)')
  await expect(cells.first()).toBeVisible()
  const texts = await cells.allInnerTexts()
  return texts.map((text) => Number.parseFloat(text.replaceAll(',', ''))).reverse()
}

for (const [name, open] of Object.entries(fieldSides)) {
  test(`${name}: a valve is read, set and confirmed; after the link was lost nothing is missing and nothing is there twice`, {
    tag: '@slow',
  }, async ({ page }) => {
    test.setTimeout(8 * MINUTE_MS)
    const unique = randomUUID().slice(0, 8)
    const [valve, counter] = [`V-${unique}`, `N-${unique}`]
    const gateway = await addGateway(unique, `网关 ${name}`)
    const valveId = await gateway.add('valve', valve, `阀 ${unique}`)
    const { second } = await signInDirectly('administrator')
    const { id, version } = await callFor(getGatewayConfig, { imei: gateway.imei }, second)
    const { username } = await callFor(getGatewayLogin, { id }, second)
    const session = `isotherm-${username.replace('/', '-')}-L1`
    const side: FieldSide = await open({ valve, counter, session, port: await findFreePort() })
    closers.push(side.close)
    const { count } = side
    const counterId =
      count === undefined || count.serial === valve
        ? valveId
        : await gateway.add(counterKinds[count.metric] ?? 'sensor', counter, `计数 ${unique}`)
    await callFor(setGatewayConfig, { id, version, config: { v: 1, ...side.config } }, second)
    closers.push(await runGateway(gateway.imei))

    await test.step('the opening that the valve reports is shown', async () => {
      await page.goto(`/ewph/fmreal?q=${valve}`)
      await expect(page.getByTestId(`valve-opening-${valveId}`)).toContainText('20', {
        timeout: 2 * MINUTE_MS,
      })
    })

    await test.step('it is set, and its position is confirmed', async () => {
      await page.getByTestId(`set-opening-${valveId}`).click()
      await page.getByTestId('opening-input').fill('60')
      await page.getByTestId('reason-input').fill(`browser test ${name}`)
      await page.getByTestId('confirm-command').click()
      const command = page.getByTestId(`command-${valveId}`)
      await expect(command).toHaveAttribute('data-state', 'confirmed', { timeout: 2 * MINUTE_MS })
      expect(side.writes()).toEqual([60])
    })

    const shown = () => (count ? readHistory(page, counterId, count.metric) : Promise.resolve([]))
    const before = await shown()
    await test.step('the link is lost, and comes back', async () => {
      await side.cut()
      if (side.isHeldDown) {
        await page.goto(`/dev/devdebug?id=${id}`)
        await expect(page.getByRole('main')).toContainText(/断线线路\s*1/, { timeout: 2 * MINUTE_MS })
      }
      await side.restore()
    })

    await test.step('the history goes on, without a gap and without a repetition', async () => {
      if (!count) {
        await page.goto(`/dev/devdebug?id=${id}`)
        await expect(page.getByRole('main')).toContainText(/断线线路\s*0/, { timeout: 2 * MINUTE_MS })
        return
      }
      await expect(async () => {
        const after = await shown()
        expect(after.length).toBeGreaterThan(before.length + 3)
        const steps = after.slice(1).map((value, at) => (value - (after[at] ?? 0)) / count.step)
        expect(steps.map(Math.round)).toEqual(steps.map(() => 1))
      }).toPass({ timeout: 2 * MINUTE_MS })
    })
    expect(side.writes()).toEqual([60])
  })
}
