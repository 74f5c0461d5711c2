import { randomUUID } from 'node:crypto'
import { getUnregisteredDevices } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { addGateway } from '../support/add-gateway.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'maintenance' })

/** Names that no other test and no earlier run uses. */
const unique = randomUUID().slice(0, 8)
const METER = `M-${unique}`

test('a meter that reports and is not registered is listed with what it says, registered by a click, and read', async ({
  page,
}) => {
  const { imei, meterModel, send } = await addGateway(unique, '试装网关')
  const values = { 'heat.energy': 1234, 'temp.supply': 48.5, 'temp.return': 38.2, 'heat.flow': 0.81 }
  // The server takes readings as soon as its directory has the gateway.
  const { second } = await signInDirectly('maintenance')
  await expect(async () => {
    await send(METER, values)
    const { datalist } = await callFor(getUnregisteredDevices, {}, second)
    expect(datalist.map(({ address }) => address)).toContain(METER)
  }).toPass()
  await page.goto('/dev/datadevmanager')
  await expect(page.getByTestId('unregistered-open')).not.toHaveText('未登记设备 0')
  await page.getByTestId('unregistered-open').click()
  const item = page.getByTestId('unregistered-devices').getByRole('listitem').filter({ hasText: METER })
  await expect(item).toContainText('累计热量 1,234')
  await expect(item).toContainText('应为热量表：只有它上报这些数据')
  await expect(item).toContainText(`试装网关 (${imei})`)
  await item.getByRole('button', { name: '登记' }).click()

  await expect(page.getByTestId('field-name')).toHaveValue(`热量表 ${METER}`)
  await page.getByLabel('位置 *').click()
  await page.getByLabel('位置 *').fill('东苑小区')
  await page
    .locator('.ant-select-item-option', { hasText: /东苑小区$/ })
    .first()
    .click()
  await page.getByTestId('field-modelId').click()
  await page.locator('.ant-select-item-option', { hasText: meterModel.name }).first().click()
  await page.getByTestId('form-save').click()
  await expect(page.getByText(`热量表 ${METER} 已登记`)).toBeVisible()
  await expect(item).toHaveCount(0)

  await page.goto(`/dev/caldevmanager?q=${METER}`)
  await page
    .getByTestId('record-table')
    .getByTestId(/^record-\d+$/)
    .click()
  // The server takes readings as soon as its directory has the device.
  await expect(async () => {
    await send(METER, values)
    await expect(page.getByRole('dialog')).toContainText('正常', { timeout: 3_000 })
  }).toPass()
})
