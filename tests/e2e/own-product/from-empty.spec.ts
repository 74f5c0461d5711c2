import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import mqtt, { type MqttClient } from 'mqtt'
import { z } from 'zod'
import type { Product } from '../../../tools/product/start-product.ts'
import { createAdministrator } from '../support/create-administrator.ts'
import { startOwnProduct } from '../support/start-own-product.ts'
import { expect, fillLogin, test } from '../support/test.ts'
import { row, toggle } from '../support/tree.ts'

const ADMIN = { account: 'wang', password: 'a long enough password' } as const
const AREA = '和园小区'
const BUILDING = '1号楼'
const CONCENTRATOR = 'JZQ-0001'
const VALVE = 'FM-0001'

let product: Product

test.beforeAll(async () => {
  test.setTimeout(5 * MINUTE_MS)
  product = await startOwnProduct({ command: 'serve' })
  await createAdministrator(product.dataDir, ADMIN.account, ADMIN.password)
})
test.afterAll(() => product?.stop())

/** The credentials of a gateway as the dialog shows them, in its order. */
async function readLogin(page: Page): Promise<readonly string[]> {
  const values = page.getByTestId('gateway-login').locator('dd')
  await expect(values).toHaveCount(7)
  return (await values.allTextContents()).map((text) => text.trim())
}

const command = z.object({ id: z.string(), dev: z.string(), args: z.object({ opening: z.number() }) })

/**
 * A concentrator with one valve. It only uses the credentials that the console showed, and moves its valve on
 * command.
 */
async function connectGateway(login: readonly string[]): Promise<{ readonly close: () => Promise<void> }> {
  const [address = '', , clientId = '', username = '', password = '', up = '', down = ''] = login
  const client: MqttClient = await mqtt.connectAsync(address, {
    clientId,
    username,
    password,
    protocolVersion: 4,
    clean: false,
  })
  const boot = Math.floor(Date.now() / 1_000)
  let seq = 0
  let opening = 30
  const toUp = (channel: string) => `${up.replace(/\/$/, '')}/${channel}`
  const send = (channel: string, message: object) =>
    client.publishAsync(toUp(channel), JSON.stringify({ v: 1, boot, ts: Date.now(), ...message }), { qos: 1 })
  const report = () => {
    const at = { seq, d: [{ id: VALVE, m: { 'valve.opening': opening, 'temp.return': 38.4 } }] }
    seq += 1
    return send('telemetry', at)
  }
  client.on('message', (topic, payload) => {
    if (!topic.endsWith('/cmd')) return
    const { id, dev, args } = command.parse(JSON.parse(payload.toString()))
    opening = args.opening
    const reply = { id, dev, stage: 'done', code: 0, res: { opening }, seq }
    seq += 1
    void send('reply', reply).then(report)
  })
  await client.subscribeAsync(`${down.replace(/\/$/, '')}/#`, { qos: 1 })
  await send('birth', { online: true, firmware: '1.0' })
  // The first reports come before the valve is registered.
  const timer = setInterval(() => void report(), 2_000)
  return {
    async close() {
      clearInterval(timer)
      await client.endAsync()
    },
  }
}

/** Expands a row that the console may expand at the same moment. */
async function unfold(page: Page, name: string): Promise<void> {
  const node = row(page, name).first()
  await expect(async () => {
    if ((await node.getAttribute('aria-expanded')) !== 'true') await toggle(node).click()
    await expect(node).toHaveAttribute('aria-expanded', 'true', { timeout: 2_000 })
  }).toPass()
}

/** Adds a device on its page. `place` is chosen by its last name. */
async function addDevice(
  page: Page,
  given: {
    readonly path: string
    readonly place: string
    readonly serial: string
    readonly name: string
    readonly model: string
    readonly more?: () => Promise<void>
  },
): Promise<void> {
  await page.goto(product.url + given.path)
  await page.getByTestId('record-add').click()
  await page.getByLabel('位置 *').click()
  await page.getByLabel('位置 *').fill(given.place)
  await page
    .locator('.ant-select-item-option', { hasText: new RegExp(`${given.place}$`) })
    .first()
    .click()
  await page.getByTestId('field-imei').fill(given.serial)
  await page.getByTestId('field-name').fill(given.name)
  await page.getByTestId('field-modelId').click()
  await page.getByTestId('model-name').fill(given.model)
  await page.getByTestId('model-add').click()
  await expect(page.getByTestId('field-modelId')).toContainText(given.model)
  await given.more?.()
  await page.getByTestId('form-save').click()
  await expect(page.getByText(`${given.name} 已新增`)).toBeVisible()
}

test('an administrator goes from an empty installation to a confirmed valve by clicking, with one real MQTT client', async ({
  page,
}) => {
  test.setTimeout(6 * MINUTE_MS)
  const missing = (step: string) => page.locator(`[data-testid="setup-${step}"][data-done="false"]`)

  await test.step('signs in and sees what is missing', async () => {
    await page.goto(product.url)
    await fillLogin(page, ADMIN.account, ADMIN.password)
    await expect(page.getByTestId('setup')).toBeVisible()
    await expect(missing('company')).toBeVisible()
  })

  await test.step('adds the company', async () => {
    await page.getByTestId('setup-open-company').click()
    await page.getByTestId('field-name').fill('和园供热公司')
    await page.getByTestId('field-tenant').fill('heyuan')
    await page.getByTestId('form-save').click()
    await expect(page.getByTestId('setup-company')).toHaveAttribute('data-done', 'true')
  })

  await test.step('adds a project with a residential area and a building', async () => {
    await page.getByTestId('setup-open-structure').click()
    await page.getByTestId('field-projectName').fill('和园')
    await page.getByTestId('form-save').click()
    await page.goto(`${product.url}/dev/datadevmanager`)
    await row(page, '和园').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^新增下级/ }).click()
    await page.getByTestId('edit-level').getByText('小区', { exact: true }).click()
    await page.getByTestId('field-title').fill(AREA)
    await page.getByTestId('form-save').click()
    await unfold(page, '和园')
    await row(page, AREA).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^新增下级/ }).click()
    await page.getByTestId('field-name').fill(BUILDING)
    await page.getByTestId('generate').click()
    await page.getByTestId('form-save').click()
    await unfold(page, AREA)
    await expect(row(page, BUILDING)).toBeVisible()
  })

  const gateway = await test.step('adds a concentrator and reads its credentials', async () => {
    await addDevice(page, {
      path: '/dev/datadevmanager',
      place: AREA,
      serial: CONCENTRATOR,
      name: '集中器',
      model: 'DC-1',
    })
    await page
      .getByTestId('record-table')
      .getByTestId(/^record-\d+$/)
      .click()
    await page.getByTestId('device-login').click()
    await page.getByTestId('login-show').click()
    return connectGateway(await readLogin(page))
  })

  try {
    await test.step('adds a valve behind it, and sees the first reading', async () => {
      await addDevice(page, {
        path: '/dev/fmdevmanager',
        place: BUILDING,
        serial: VALVE,
        name: '入口阀',
        model: 'DN40',
        async more() {
          await page.getByTestId('field-concentratorId').click()
          await page.locator('.ant-select-item-option', { hasText: CONCENTRATOR }).click()
        },
      })
      await page.goto(`${product.url}/ewph/fmreal`)
      await expect(page.locator('tr[data-testid^="valve-row-"]')).toContainText('38.4')
    })

    await test.step('sets the valve, whose position is confirmed', async () => {
      await page.locator('[data-testid^="set-opening-"]').first().click()
      await page.getByTestId('opening-input').fill('45')
      await page.getByTestId('reason-input').fill('first command')
      await page.getByTestId('confirm-command').click()
      await expect(page.getByTestId('command-state-confirmed')).toHaveAttribute('data-status', 'reached', {
        timeout: MINUTE_MS,
      })
    })

    await test.step('the checklist is done', async () => {
      await page.goto(`${product.url}/dashboard`)
      await expect(page.getByTestId('home-valves')).toBeVisible()
      await expect(page.getByTestId('setup')).toBeHidden()
    })
  } finally {
    await gateway.close()
  }
})
