import { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { insertDev, updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { Page } from '@playwright/test'
import { callDirectly, callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'
import { expand, openTree, row } from '../support/tree.ts'

/** The building with the stuck valve of the demo. No other test moves its valves. */
const PLACE = ['城东区域', '东苑换热站', '东苑小区'] as const
const BUILDING = '六号楼'
/** Another building of which no other test moves valves. */
const QUIET_BUILDING = '八号楼'
const STUCK = '11110000201802'
/** Three strokes on one bus, in the time of the twin, which runs faster than the clock. */
const STROKES_MS = 90_000
/** Duration of a short hold: until it ends, a busy machine shows it and refuses a program. */
const HOLD_MS = 30_000

test.use({ role: 'dispatcher' })

const countIn = (page: Page, group: string) => page.getByTestId(`batch-group-${group}`).locator('strong')
const openList = (page: Page, name: string) => page.getByTestId('control-lists').getByText(name).click()

/** Opens the control page with all valves of the building. Returns their ids. */
async function chooseBuilding(page: Page, building = BUILDING): Promise<readonly number[]> {
  await openTree(page)
  await expand(page, ...PLACE)
  await row(page, building).click()
  await page.getByTestId('add-all').click()
  await expect(page).toHaveURL(/devices=/)
  return (new URL(page.url()).searchParams.get('devices') ?? '').split(',').map(Number)
}

const listValves = async (token: string) => {
  const input = { nodes: [], kinds: ['valve' as const], limiter: { page: 1, size: 1_000 } }
  return (await callFor(getDevsFromPrjTree, input, token)).datalist
}

test('a dispatcher finds the one refused command of a batch, and retries it alone', async ({ page }) => {
  test.setTimeout(240_000)
  const ids = await chooseBuilding(page)
  const { second } = await signInDirectly('dispatcher')
  const stuck = (await listValves(second)).find(({ imei }) => imei === STUCK)?.id
  expect(ids).toContain(stuck)

  await test.step('a limit refuses an opening, and says which limit', async () => {
    const least = page.getByTestId('limit-minOpeningPct')
    const saveLimit = async (pct: string) => {
      await page.getByTestId('open-limits').click()
      await least.fill(pct)
      await page.getByTestId('save-limits').click()
      await expect(page.getByText(`${BUILDING} 的限值已保存`).last()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(least).toBeHidden()
    }
    await saveLimit('30')
    await page.getByTestId('opening-input').fill('20')
    await expect(page.getByTestId('plan-count-below-minimum').locator('strong')).toHaveText('3')
    await expect(page.getByTestId(`plan-${stuck}`)).toContainText('低于最小开度，不下发')
    await expect(page.getByTestId(`plan-${stuck}`)).toContainText('最小 30%')
    await expect(page.getByTestId('confirm-command')).toBeDisabled()
    await saveLimit('')
    await expect(page.getByTestId('confirm-command')).toBeEnabled()
  })

  const command = page.getByTestId(`command-${stuck}`)
  await test.step('sends to the building: one command is refused by its valve, and the page shows why', async () => {
    await page.getByTestId('opening-input').fill('50')
    await page.getByTestId('reason-input').fill('browser test: one is stuck')
    await page.getByTestId('confirm-command').click()
    await expect(page.getByTestId('batch-settled')).toContainText('100%', { timeout: STROKES_MS })
    await expect(countIn(page, 'confirmed')).toHaveText('2')
    await expect(countIn(page, 'failed')).toHaveText('1')
    await page.getByTestId('batch-group-failed').click()
    await expect(page.locator('[data-testid^="command-"][data-state="confirmed"]')).toHaveCount(0)
    await expect(command).toHaveAttribute('data-state', 'failed')
    if ((await command.getAttribute('data-open')) === null) await command.getByRole('button').click()
    await expect(command).toContainText('设备故障，可能卡涩 (500)')
  })

  await test.step('retries that command alone, in a batch that leads to the first one', async () => {
    await page.getByTestId('batch-retry').click()
    await expect(page.getByRole('button', { name: '查看原批次' })).toBeVisible()
    await expect(countIn(page, 'all')).toHaveText('1')
    await expect(countIn(page, 'failed')).toHaveText('1', { timeout: STROKES_MS })
    await page.getByRole('button', { name: '查看原批次' }).click()
    await expect(countIn(page, 'all')).toHaveText('3')
  })

  await test.step('finds in the command log who sent each command, and why', async () => {
    await openList(page, '命令记录')
    const rows = page.getByTestId('command-log').locator('.ant-table-row')
    // Newest first: the retry, then the batch of three.
    const newest = rows.filter({ hasText: 'browser test: one is stuck' })
    await expect(rows.nth(3)).toContainText('browser test: one is stuck')
    for (const each of (await newest.all()).slice(0, 4)) {
      await expect(each).toContainText('dispatcher')
      await expect(each).toContainText('50%')
    }
    await expect(rows.first()).toContainText('2单元')
  })
})

test('a dispatcher cancels the rest of a batch: what was sent ends, the rest is never sent', {
  tag: '@slow',
}, async ({ page }) => {
  test.setTimeout(180_000)
  const { second: admin } = await signInDirectly('administrator')
  const neighbour = (await listValves(admin)).find(({ nestaddr }) => nestaddr.includes(`,${QUIET_BUILDING},`))
  if (!neighbour) throw new Error(`${QUIET_BUILDING} has no valve`)
  // A command to a disconnected gateway waits, so a part of the batch is not sent yet.
  const { model, node, periodS } = neighbour
  const modelId = (await callFor(getAllDevModels, {}, admin)).datalist.find(({ name }) => name === model)?.id
  const imei = `absent-${Date.now()}`
  const valve = { kind: 'valve', imei, name: 'a valve without a link', modelId, node, periodS }
  const { id, version } = await callFor(insertDev, valve, admin)

  expect(await chooseBuilding(page, QUIET_BUILDING)).toContain(id)
  await page.getByTestId('opening-input').fill('60')
  await page.getByTestId('reason-input').fill('browser test: cancel the rest')
  await page.getByTestId('confirm-command').click()
  await expect(countIn(page, 'confirmed')).toHaveText('3', { timeout: STROKES_MS })
  const progress = page.getByTestId('batch-progress')
  await page.getByTestId('batch-pause').click()
  await expect(progress).toContainText('已暂停')
  await page.getByTestId('batch-cancel').click()
  await page.locator('.ant-popconfirm').getByRole('button', { name: '撤销未下发的命令' }).click()
  await expect(progress).toContainText('已撤销')
  await expect(page.getByTestId('batch-settled')).toContainText('100%')
  await expect(countIn(page, 'confirmed')).toHaveText('3')
  await expect(countIn(page, 'dropped')).toHaveText('1')
  await expect(page.getByTestId(`command-${id}`)).toContainText('在下发之前被撤销')
  await callFor(updateDev, { id, version, use: 'retired' }, admin)
})

const shortHold = 'a hold ends at its time: the list loses it, and a program may move the valve again'

test(shortHold, { tag: '@slow' }, async ({ page }) => {
  test.setTimeout(3 * HOLD_MS + 120_000)
  const { second } = await signInDirectly('dispatcher')
  const ids = await chooseBuilding(page)
  const [deviceId = 0] = ids
  await openList(page, '保持中')
  const order = { targets: [{ deviceId, openingPct: 55 }], reason: 'browser test: a short hold' }
  await callFor(publishMqCtlCmd, { ...order, holdUntil: Date.now() + HOLD_MS }, second)
  const held = page.getByTestId('hold-list').locator('.ant-table-row')
  await expect(held).toHaveCount(1)
  await expect(held).toContainText('browser test: a short hold')
  const program = { ...order, priority: 'schedule', reason: 'browser test: a program' }
  const { body } = await callDirectly(publishMqCtlCmd, program, second)
  expect(body).toMatchObject({ code: 'command.held' })
  await expect(page.getByText('所选范围内没有保持中的阀门')).toBeVisible({ timeout: 3 * HOLD_MS })
  await callFor(publishMqCtlCmd, program, second)
})
