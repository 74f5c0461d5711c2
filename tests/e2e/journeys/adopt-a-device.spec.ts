import { randomUUID } from 'node:crypto'
import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { addDevModel } from '@isotherm/contract/endpoints/devices/device-models'
import { getDevice, insertDev } from '@isotherm/contract/endpoints/devices/devices'
import { sendReadings } from '@isotherm/contract/endpoints/devices/send-readings'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'maintenance' })

/** Names that no other test and no earlier run uses. */
const unique = randomUUID().slice(0, 8)
const GATEWAY = `G-${unique}`
const METER = `M-${unique}`

/** A new concentrator, and a way to send messages as it. */
async function addGateway() {
  const { first, second } = await signInDirectly('administrator')
  const query = { nodes: [], kinds: ['concentrator' as const], limiter: { page: 1, size: 1 } }
  const [other] = (await callFor(getDevsFromPrjTree, query, second)).datalist
  const { node } = await callFor(getDevice, { id: other?.id ?? 0 }, first)
  const toModel = (kind: 'concentrator' | 'heat-meter') =>
    callFor(addDevModel, { kind, name: `${kind}-${unique}` }, second)
  await toModel('heat-meter')
  const { id: modelId } = await toModel('concentrator')
  const gateway = { kind: 'concentrator', imei: GATEWAY, name: '试装网关', modelId, node, periodS: 900 }
  await callFor(insertDev, gateway, second)
  const expiresAt = Date.now() + 3_600_000
  const { key } = await callFor(addApiKey, { name: unique, permissions: [SEND_READINGS], expiresAt }, second)
  let seq = 0
  return async (m: Readonly<Record<string, number>>): Promise<void> => {
    const message = { v: 1, boot: 1, seq: seq++, ts: Date.now(), d: [{ id: METER, ts: Date.now(), m }] }
    await callFor(sendReadings, { imei: GATEWAY, channel: 'telemetry', messages: [message] }, key)
  }
}

test('a meter that reports and is not registered is listed with what it says, registered by a click, and read', async ({
  page,
}) => {
  const send = await addGateway()
  const values = { 'heat.energy': 1234, 'temp.supply': 48.5, 'temp.return': 38.2, 'heat.flow': 0.81 }
  await send(values)
  await page.goto('/dev/datadevmanager')
  await expect(page.getByTestId('unregistered-open')).not.toHaveText('未登记设备 0')
  await page.getByTestId('unregistered-open').click()
  const item = page.getByTestId('unregistered-devices').getByRole('listitem').filter({ hasText: METER })
  await expect(item).toContainText('累计热量 1,234')
  await expect(item).toContainText('应为热量表：只有它上报这些数据')
  await expect(item).toContainText(`试装网关 (${GATEWAY})`)
  await item.getByRole('button', { name: '登记' }).click()

  await expect(page.getByTestId('field-name')).toHaveValue(`热量表 ${METER}`)
  await page.getByLabel('位置 *').click()
  await page.getByLabel('位置 *').fill('东苑小区')
  await page
    .locator('.ant-select-item-option', { hasText: /东苑小区$/ })
    .first()
    .click()
  await page.getByTestId('field-modelId').click()
  await page
    .locator('.ant-select-item-option', { hasText: `heat-meter-${unique}` })
    .first()
    .click()
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
    await send(values)
    await expect(page.getByRole('dialog')).toContainText('正常', { timeout: 3_000 })
  }).toPass()
})
