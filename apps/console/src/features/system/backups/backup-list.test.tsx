import { type BackupRun, getBackups } from '@isotherm/contract/endpoints/administration/backups'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import InterfacesysPage from '../interfaces/interfacesys-page.tsx'

const runOf = (id: number, over: Partial<BackupRun> = {}): BackupRun => ({
  id,
  state: 'whole',
  startedAt: Date.now() - 2 * HOUR_MS,
  endedAt: Date.now() - 2 * HOUR_MS + 95_000,
  isFuture: false,
  name: 'isotherm-20261127T023000Z',
  bytes: 5_040_000_000,
  rows: 10_000_012,
  checked: true,
  encrypted: true,
  fault: null,
  ...over,
})
const failed = {
  state: 'failed',
  name: null,
  bytes: null,
  rows: null,
  checked: false,
  encrypted: null,
} as const

type Answer = Parameters<ReturnType<typeof startFakeApi>['answer']>[1]

async function openPage(answer: object, options: RenderOptions = {}) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  const whole = {
    datalist: [],
    total: 0,
    alarm: null,
    lastWholeAt: null,
    versions: [],
    isReadable: true,
    ...answer,
  }
  api.answer(getBackups, whole as Answer as never)
  const view = await renderPart(<InterfacesysPage />, {
    permissions: ['ps-interfacesys'],
    address: '/sys/interfacesys?view=backups',
    ...options,
  })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

test.each([
  ['zh', ['完整', '5.0 GB', '95 秒', '已回读并核对行数', '10,000,012']],
  ['en', ['Whole', '5.0 GB', '95 s', 'Read again, rows counted', '10,000,012']],
] as const)(
  'a whole backup shows size, duration, check and rows in %s, without an alarm',
  async (language, texts) => {
    await openPage({ datalist: [runOf(1)], total: 1 }, { language })
    for (const text of texts) expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByTestId('backup-alarm')).toBeNull()
  },
)

test.each([
  ['zh', /程序版本：0\.4\.0（2026.11.28.* 起） · 0\.3\.0（2026.11.01.* 起）/],
  ['en', /Program versions: 0\.4\.0 \(since .*2026.*\) · 0\.3\.0 \(since .*2026.*\)/],
] as const)(
  'the versions of the program that ran on the data stand with the backups, in %s',
  async (language, text) => {
    const versions = [
      { version: '0.4.0', since: Date.parse('2026-11-28T04:00:00Z') },
      { version: '0.3.0', since: Date.parse('2026-11-01T04:00:00Z') },
    ]
    await openPage({ versions }, { language })
    expect((await screen.findByTestId('program-versions')).textContent).toMatch(text)
  },
)

test('a failed backup shows its reason, and the page names the remedy', async () => {
  const fault = 'ENOSPC: no space left on device, write'
  await openPage({ datalist: [runOf(2, { ...failed, fault }), runOf(1)], total: 2, alarm: 'failed' })
  expect(await screen.findByText(fault)).toBeTruthy()
  expect((await screen.findByTestId('backup-alarm')).textContent).toContain('最近一次备份失败')
})

test('a missing backup is an alarm with the age of the last one', async () => {
  await openPage({ datalist: [runOf(1)], total: 1, alarm: 'late', lastWholeAt: Date.now() - 50 * HOUR_MS })
  expect((await screen.findByTestId('backup-alarm')).textContent).toContain('2 天前')
})

test('an interrupted backup and one from the future are shown with the reason why they do not count', async () => {
  const interrupted = runOf(2, { ...failed, state: 'interrupted', endedAt: null })
  await openPage({ datalist: [interrupted, runOf(1, { isFuture: true })], total: 2, alarm: 'failed' })
  expect(await screen.findByText('备份进程未结束就被终止')).toBeTruthy()
  expect(await screen.findByText(/时间在未来/)).toBeTruthy()
})

test('staff of a company reads why the list is empty', async () => {
  await openPage({ isReadable: false })
  expect(await screen.findByText(/只有平台方人员可以查看/)).toBeTruthy()
})
