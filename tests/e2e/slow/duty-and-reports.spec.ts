import { readFile } from 'node:fs/promises'
import { deleteAlarmTargets, getAlarmTargets } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { getReport } from '@isotherm/contract/endpoints/monitoring/statistics'
import type { Page } from '@playwright/test'
import { callFor, signInDirectly } from '../support/api.ts'
import { option } from '../support/option.ts'
import { expect, test } from '../support/test.ts'

const views = [
  {
    screen: 'desk',
    language: 'zh',
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
  },
  // The clocks of New York changed on 2026-11-01; the plant is in China.
  {
    screen: 'phone',
    language: 'en',
    locale: 'en-GB',
    timezoneId: 'America/New_York',
    viewport: { width: 390, height: 844 },
  },
] as const

const texts = {
  zh: {
    section: '通知接收方',
    name: '名称',
    node: '范围',
    address: '地址（URL）',
    after: '升级等待（分钟）',
    duty: '仅值班时间通知',
    days: '值班时间',
    noDay: '请至少选一天',
    start: '开始时刻',
    end: '结束时刻',
    report: '发送报告',
    every: '报告',
    daily: '每天，前一天的',
    hour: '几点发送',
    close: '已记下，关闭',
    edit: '修改',
    shown: /15 分钟无人确认后 · 值班 20–6 时 .*周一.* · 每天 7 时日报/,
    edited: /45 分钟无人确认后 · 值班 20–6 时/,
    test: /^测试消息未送达：/,
    log: '发送记录',
    heat: '热量',
  },
  en: {
    section: 'Receivers',
    name: 'Name',
    node: 'Where',
    address: 'Address (URL)',
    after: 'Escalate after (minutes)',
    duty: 'Notify on duty only',
    days: 'On duty',
    noDay: 'Choose at least one day',
    start: 'Start hour',
    end: 'End hour',
    report: 'Send reports',
    every: 'Report',
    daily: 'Each day, of the day before',
    hour: 'Hour of the report',
    close: 'Copied, close',
    edit: 'Edit',
    shown: /after 15 min without acknowledgement · on duty 20–6 o'clock .*Mon.* · daily report at 7 o'clock/,
    edited: /after 45 min without acknowledgement · on duty 20–6 o'clock/,
    test: /^Test of .* not delivered: /,
    log: 'Deliveries',
    heat: 'Heat',
  },
} as const

const fill = (page: Page, name: string, value: string) =>
  page.getByRole('spinbutton', { name, exact: true }).fill(value)

for (const { screen, language, ...view } of views) {
  const text = texts[language]

  test.describe(`a dispatcher, ${screen}, ${language}`, { tag: '@slow' }, () => {
    test.use({ ...view, hasTouch: screen === 'phone', role: 'dispatcher' })

    test('sets who is notified when: duty, escalation and a report, and sees a test fail with the reason', async ({
      page,
      errors,
    }) => {
      const name = `duty ${screen} ${Date.now()}`
      await page.goto('/rtjc/rtalarm?section=targets')
      await page.getByTestId('add-target').click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('textbox', { name: text.name, exact: true }).fill(name)
      await drawer.getByRole('combobox', { name: text.node, exact: true }).fill('翠湖换热站')
      await option(page, '翠湖换热站').click()
      await drawer
        .getByRole('textbox', { name: text.address, exact: true })
        .fill('http://nowhere.invalid/hook')
      await fill(page, text.after, '15')

      await test.step('on duty only, where a duty without a day is refused', async () => {
        await drawer.getByRole('switch', { name: text.duty }).click()
        await fill(page, text.start, '20')
        await fill(page, text.end, '6')
        const days = drawer.getByRole('combobox', { name: text.days, exact: true })
        await days.focus()
        for (let day = 0; day < 7; day += 1) await days.press('Backspace')
        await expect(drawer.getByText(text.noDay)).toBeVisible()
        await expect(page.getByTestId('target-save')).toBeDisabled()
        await days.click()
        await option(page, language === 'zh' ? '周一' : 'Mon').click()
        await page.keyboard.press('Escape')
      })

      await test.step('with a report each morning', async () => {
        await page.getByTestId('target-report').click()
        await drawer.getByRole('combobox', { name: text.every, exact: true }).click()
        await option(page, text.daily).click()
        await fill(page, text.hour, '7')
      })
      await page.getByTestId('target-save').click()
      await drawer.getByRole('button', { name: text.close }).last().click()
      const item = page.getByRole('listitem').filter({ hasText: name })
      await expect(item).toContainText(text.shown)

      await test.step('waits longer before it escalates', async () => {
        await item.getByRole('button', { name: text.edit, exact: true }).click()
        await fill(page, text.after, '45')
        await page.getByTestId('target-save').click()
        await expect(item).toContainText(text.edited)
      })

      await test.step('tests it, and finds the attempt in the log', async () => {
        await item.getByTestId('test-target').click()
        await expect(item.getByRole('status')).toContainText(text.test)
        await item.getByTestId('delivery-log-open').click()
        await expect(page.getByRole('dialog').filter({ hasText: `${text.log}` })).toContainText(name)
      })
      expect(errors).toEqual([])

      const { second: token } = await signInDirectly('dispatcher')
      const { datalist } = await callFor(getAlarmTargets, {}, token)
      const items = datalist.filter((each) => each.name === name).map(({ id, version }) => ({ id, version }))
      await callFor(deleteAlarmTargets, { items }, token)
    })

    test('reads the heat of the stations in the days of the plant, opens a row and saves the report', async ({
      page,
      errors,
    }) => {
      const { second: token } = await signInDirectly('dispatcher')
      const input = { report: 'heat', level: 'station', period: 'week', compare: 'before' } as const
      const answer = await callFor(getReport, input, token)
      await page.goto('/stat/statsys?level=station&period=week&compare=before')
      await page.getByTestId('report-choice').getByText(text.heat, { exact: true }).click()
      await expect(page).toHaveURL(/report=heat/)
      // Days of the plant, wherever the reader is.
      const summary = page.getByTestId('report-summary')
      await expect(summary).toContainText(answer.from)
      await expect(summary).toContainText(answer.to)
      const rows = page.locator('[data-testid^="report-row-"]')
      await expect(rows).toHaveCount(answer.total)
      await rows.filter({ hasText: '翠湖换热站' }).getByRole('button').first().click()
      await expect(page.getByTestId('report-drawer')).toContainText('翠湖换热站')
      await page.keyboard.press('Escape')
      await expect(page.getByTestId('report-drawer')).toHaveCount(0)
      const coming = page.waitForEvent('download')
      await page.getByTestId('report-csv').click()
      const lines = (await readFile(await (await coming).path(), 'utf8')).trim().split('\r\n')
      expect(lines.filter((line) => line.includes('换热站')).length).toBeGreaterThanOrEqual(4)
      expect(errors).toEqual([])
    })
  })
}
