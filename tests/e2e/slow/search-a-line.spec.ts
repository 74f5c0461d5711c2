import { randomUUID } from 'node:crypto'
import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { findFreePort } from '@isotherm/engines/process-life'
import { simulateUnit } from '../../../apps/gateway/src/drivers/dtu-tcp/simulator.testkit.ts'
import { simulateMbusMeter } from '../../../apps/gateway/src/field/simulated-devices.testkit.ts'
import { addGateway } from '../support/add-gateway.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { option } from '../support/option.ts'
import { runGateway } from '../support/run-gateway.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'maintenance' })

/** Names that no other test and no earlier run uses. */
const unique = randomUUID().slice(0, 8)
const METER = String(Date.now()).slice(-8)
const UNIT = `DTU-${unique}`
const LINE = `riser-${unique}`

const closers: (() => unknown)[] = []
test.afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test('a line is added and corrected in the console, its gateway searches it, and a click registers the meter that it finds', {
  tag: '@slow',
}, async ({ page }) => {
  test.slow()
  const { imei, meterModel } = await addGateway(unique, '搜索网关')
  const port = await findFreePort()
  await page.goto(`/dev/datadevmanager?q=${imei}`)
  await page
    .getByTestId('record-table')
    .getByTestId(/^record-\d+$/)
    .click()

  await test.step('adds a line of a transparent DTU', async () => {
    await page.getByTestId('config-open').click()
    await page.getByTestId('config-add-line').click()
    await page.getByRole('menuitem', { name: '透明 DTU（TCP）' }).click()
    await page.getByTestId('config-lines.0.id').fill(LINE)
    await page.getByTestId('config-save').click()
    await expect(page.getByText('必填')).toBeVisible()
    await page.getByTestId('config-lines.0.registration').fill(`${UNIT}-wrong`)
    await page.getByTestId('config-back').click()
    await page.getByTestId('config-dtu.port').fill(String(port))
    await page.getByTestId('config-save').click()
    await expect(page.getByTestId('gateway-lines')).toContainText(LINE)
  })

  await test.step('corrects its registration packet, and the history shows the correction', async () => {
    await page.getByTestId('config-open').click()
    const editor = page.getByRole('dialog', { name: '搜索网关 的线路配置' })
    await editor.getByTestId(`config-line-${LINE}`).click()
    await expect(editor.getByTestId('config-lines.0.registration')).toHaveValue(`${UNIT}-wrong`)
    await editor.getByTestId('config-lines.0.registration').fill(UNIT)
    await editor.getByTestId('config-save').click()
    await expect(editor).toBeHidden()
    await page.getByTestId('config-open').click()
    await expect(editor.getByTestId('change-history')).toContainText(`${LINE}: 注册包`)
    await editor.getByRole('button', { name: '取消' }).click()
    await expect(editor).toBeHidden()
  })

  closers.push(await runGateway(imei))
  const unit = simulateUnit({ registration: Buffer.from(UNIT), port, devices: [simulateMbusMeter(METER)] })
  closers.push(unit.close)

  await test.step('searches the line by secondary addresses', async () => {
    await expect(async () => {
      await page.getByTestId('scan-start').click()
      await expect(page.getByTestId(`scan-${LINE}`)).toHaveAttribute('data-outcome', 'done', {
        timeout: 20_000,
      })
    }).toPass()
    await expect(page.getByTestId(`scan-${LINE}`)).toContainText('找到 1 台')
  })

  await test.step('registers the meter', async () => {
    await page.getByTestId(`adopt-${METER}`).click({ timeout: 90_000 })
    const form = page.getByRole('dialog', { name: `登记 ${METER}` })
    await expect(form.getByTestId('field-imei')).toHaveValue(METER)
    await form.getByLabel('位置 *').fill('东苑小区')
    await page
      .locator('.ant-select-item-option', { hasText: /东苑小区$/ })
      .first()
      .click()
    await form.getByTestId('field-modelId').click()
    await option(page, meterModel.name).click()
    await form.getByTestId('form-save').click()
    await expect(page.getByText(`热量表 ${METER} 已登记`)).toBeVisible()
  })

  const { second } = await signInDirectly('administrator')
  const { config } = await callFor(getGatewayConfig, { imei }, second)
  expect(config?.lines).toMatchObject([{ id: LINE, devices: [{ serial: METER, address: METER }] }])
})
