import { readFile } from 'node:fs/promises'
import {
  addAlarmSilence,
  addAlarmTarget,
  deleteAlarmTargets,
  endAlarmSilence,
} from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Page } from '@playwright/test'
import { callFor, signInDirectly } from '../support/api.ts'
import { enter, expect, test } from '../support/test.ts'
import { expand, row } from '../support/tree.ts'

const STATION = '翠湖换热站'
/** A station reports once a minute of plant time, which runs faster than the clock. */
const REPORT_MS = MINUTE_MS

const openSection = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const alarmRows = (page: Page) => page.getByTestId('alarm-table').locator('.ant-table-row')
const ourAlarm = (page: Page) => alarmRows(page).filter({ hasText: '供水温度过高' })

/** Fills in the drawer of a rule that holds at any supply temperature of a winter day, at the station. */
async function addRule(page: Page): Promise<void> {
  await openSection(page, '告警规则')
  await page.getByRole('button', { name: '为“供水温度过高”添加规则' }).click()
  await page.getByRole('combobox', { name: '范围' }).click()
  await page.locator('.ant-select-item-option', { hasText: STATION }).first().click()
  const fill = (name: string, value: string) => page.getByRole('spinbutton', { name }).fill(value)
  await fill('高于时告警', '20')
  // A click beside the form keeps what was typed.
  await page.mouse.click(300, 800)
  await expect(page.getByText('恢复阈值不能高于告警阈值')).toBeVisible()
  await expect(page.getByTestId('rule-save')).toBeDisabled()
  await fill('不高于时恢复', '18')
  await fill('恢复多久后解除（分钟）', '0')
  await expect(page.getByTestId('rule-concerned')).toHaveText('涉及 1 台设备')
  await page.getByTestId('rule-save').click()
  await expect(page.getByTestId('rules-supply-hot')).toContainText('供水温度高于 20.0')
}

const ourRule = (page: Page) => page.getByTestId('rules-supply-hot').locator('[data-testid^="rule-"]')

/** Disables the rule: it raises no alarms any more, and its open alarms end. */
async function switchRuleOff(page: Page): Promise<void> {
  await openSection(page, '告警规则')
  await ourRule(page).getByRole('button', { name: '修改' }).click()
  await page.getByRole('switch', { name: '启用' }).click()
  await page.getByTestId('rule-save').click()
  await expect(ourRule(page)).toContainText('停用')
}

async function removeRule(page: Page): Promise<void> {
  await openSection(page, '告警规则')
  await ourRule(page).getByRole('button', { name: '删除' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '删除' }).click()
  await expect(ourRule(page)).toHaveCount(0)
}

/** Silences the station from its menu in the tree. */
async function silence(page: Page): Promise<void> {
  await row(page, STATION).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '静默此处…' }).click()
  await expect(page.getByTestId('silence-node')).toContainText(STATION)
  await expect(page.getByTestId('silence-submit')).toBeDisabled()
  await page.getByTestId('silence-reason').fill('更换循环泵')
  await page.getByTestId('silence-submit').click()
  await expect(row(page, STATION).locator('[data-testid^="tree-silenced-"]')).toBeVisible()
}

test('a dispatcher adds an alarm rule, handles its alarm, silences the place and finds all of it in the log', async ({
  page,
}) => {
  test.setTimeout(300_000)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await enter(page, 'dispatcher', '/rtjc/rtalarm?section=open')
  await expand(page, '城西区域')
  await row(page, STATION).click()
  const loadsBefore = loads

  await test.step('adds a rule, and sees why a wrong one is refused', () => addRule(page))

  await test.step('sees the alarm without a reload, in the list and in the top bar', async () => {
    await openSection(page, '当前告警')
    await expect(ourAlarm(page)).toBeVisible({ timeout: REPORT_MS })
    await expect(ourAlarm(page)).toContainText('告警中')
    await expect(page.getByTestId('alarm-bell')).toHaveAccessibleName('1 条未确认的紧急告警')
    await expect(page.getByTestId('count-critical')).toContainText('1 未确认')
  })

  await test.step('acknowledges it, with a note for colleagues', async () => {
    await ourAlarm(page).getByRole('button', { name: '供水温度过高' }).click()
    const detail = page.getByTestId('alarm-detail')
    await detail.getByTestId('acknowledge').click()
    await expect(detail).toContainText('告警中 · 已确认')
    await detail.getByTestId('alarm-comment').fill('已通知值班员')
    await detail.getByRole('button', { name: '保存' }).click()
    await expect(detail.getByTestId('alarm-timeline')).toContainText('已通知值班员')
    await expect(page.getByTestId('alarm-bell')).toHaveAccessibleName('0 条未确认的紧急告警')
    await detail.getByRole('link', { name: /^规则/ }).click()
    await expect(ourRule(page)).toContainText('供水温度高于 20.0')
    await expect(detail).toHaveCount(0)
    await openSection(page, '当前告警')
  })

  await test.step('silences the station from the tree: its alarms are listed only on request', async () => {
    await silence(page)
    await expect(ourAlarm(page)).toHaveCount(0)
    await page.getByTestId('with-silenced').click()
    await expect(ourAlarm(page).getByRole('img', { name: /^静默至/ })).toBeVisible()
    await openSection(page, '静默')
    await expect(page.getByTestId('silences')).toContainText('更换循环泵')
    await page.getByTestId('silences').getByRole('button', { name: '结束' }).click()
    await page.getByRole('tooltip').getByRole('button', { name: '结束' }).click()
    await expect(page.getByText('没有静默的范围')).toBeVisible()
    await expect(row(page, STATION).locator('[data-testid^="tree-silenced-"]')).toHaveCount(0)
  })

  await test.step('acts on every alarm that the filter matches, and sees their number', async () => {
    await openSection(page, '当前告警')
    await page.getByTestId('count-critical').click()
    await expect(alarmRows(page)).toHaveCount(1)
    await page.getByTestId('handle-all').click()
    await expect(page.getByTestId('handle-intro')).toHaveText('符合当前筛选的全部 1 条告警')
    await page.getByTestId('handle-comment').fill('全站一起处理')
    await page.getByTestId('handle-submit').click()
    await expect(page.getByText('已处理 1 条告警')).toBeVisible()
    await expect(ourAlarm(page)).toContainText('全站一起处理')
  })

  await test.step('disables the rule: the acknowledged alarm ends', async () => {
    await switchRuleOff(page)
    await openSection(page, '当前告警')
    await expect(page.getByTestId('count-critical')).toContainText('无')
    await expect(
      page.getByText('没有符合筛选条件的告警').or(page.getByText('没有未结束的告警')),
    ).toBeVisible()
    await removeRule(page)
  })

  await test.step('finds all of it in the log, and downloads the log', async () => {
    await openSection(page, '告警日志')
    const log = page.getByTestId('alarm-log')
    for (const event of ['产生', '确认', '备注', '恢复'])
      await expect(log.locator('.ant-table-row').filter({ hasText: event }).first()).toBeVisible()
    await page.getByTestId('export-log').click()
    await page.getByText('CSV（不限行数）').click()
    const coming = page.waitForEvent('download')
    await page.getByTestId('export-start').click()
    const file = await coming
    expect(file.suggestedFilename()).toMatch(/^alarms-.*\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain(
      ',供水温度过高,紧急,备注,dispatcher,全站一起处理,',
    )
  })
  expect(loads, 'pages loaded meanwhile').toBe(loadsBefore)
})

test.describe('the service desk', () => {
  test.use({ role: 'service' })

  test('reads alarms and has no buttons to act on them', { tag: '@slow' }, async ({ page, errors }) => {
    await page.goto('/rtjc/rtalarm?section=open')
    await expect(page.getByTestId('count-critical')).toBeVisible()
    await expect(page.getByRole('tab', { name: '告警日志' })).toBeVisible()
    await expect(page.getByRole('tab', { name: '通知接收方' })).toHaveCount(0)
    await openSection(page, '告警规则')
    await expect(page.getByTestId('rules-room-cold')).toContainText('室温低于 18.0')
    await expect(page.getByTestId('add-rule')).toHaveCount(0)
    await row(page, '城西区域').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: '室温控制' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: '静默此处…' })).toHaveCount(0)
    expect(errors).toEqual([])
  })

  test('sees the silence of a colleague without a reload, and its end', { tag: '@slow' }, async ({
    page,
  }) => {
    await page.goto('/rtjc/rtalarm?section=silences')
    await expect(page.getByText('没有静默的范围')).toBeVisible()
    const { second: token } = await signInDirectly('dispatcher')
    const { datalist } = await callFor(searchTree, { text: STATION, size: 1 }, token)
    const node = datalist[0]?.chain.at(-1)?.node
    const silence = { node, until: Date.now() + HOUR_MS, reason: '清洗换热器' }
    const { id, version } = await callFor(addAlarmSilence, silence, token)
    // The page polls once a minute, so this arrives over the live connection.
    await expect(page.getByTestId('silences')).toContainText('清洗换热器', { timeout: 20_000 })
    await expand(page, '城西区域')
    const mark = row(page, STATION).locator('[data-testid^="tree-silenced-"]')
    await expect(mark).toBeVisible()
    // The last answer stays visible while a refetch fails, with a note about its age.
    await page.route('**/Alarm/GetAlarmSilences', (route) => route.abort())
    await callFor(endAlarmSilence, { id, version }, token)
    const old = page.getByText(/^暂时无法更新，以下是/)
    await expect(old).toBeVisible({ timeout: 20_000 })
    await expect(page.getByTestId('silences')).toContainText('清洗换热器')
    await page.unroute('**/Alarm/GetAlarmSilences')
    await old.getByRole('button', { name: '重试' }).click()
    await expect(page.getByText('没有静默的范围')).toBeVisible()
    await expect(mark).toHaveCount(0)
  })
})

test('maintenance tests a notification address, and reads the result', { tag: '@slow' }, async ({ page }) => {
  const { second: token } = await signInDirectly('maintenance')
  const { datalist } = await callFor(searchTree, { text: STATION, size: 1 }, token)
  const { id, version } = await callFor(
    addAlarmTarget,
    {
      node: datalist[0]?.chain.at(-1)?.node,
      name: '值班系统',
      url: 'http://nowhere.invalid/hook',
      secret: 'a secret of the tests only',
    },
    token,
  )
  await enter(page, 'maintenance', '/rtjc/rtalarm?section=targets')
  const target = page.getByTestId(`target-${id}`)
  await target.getByTestId('test-target').click()
  await expect(target.getByRole('status')).toContainText(/^测试消息未送达：.*域名无法解析，用时 /, {
    timeout: 20_000,
  })
  await expect(target).toContainText('最近一次失败：域名无法解析')
  await callFor(deleteAlarmTargets, { items: [{ id, version }] }, token)
})
