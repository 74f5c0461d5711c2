import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'maintenance' })

/** A day before the season that the demo shows; another one in each run, and in its second attempt. */
const toDay = (attempt: number): string => {
  const days = (Math.floor(Date.now() / 60_000) + 150 * attempt) % 300
  return new Date(Date.UTC(2025, 0, 1) + days * 86_400_000).toISOString().slice(0, 10)
}

test('readings of a former platform are mapped, checked and imported from a csv file, and imported once', async ({
  page,
}, { retry }) => {
  const { second } = await signInDirectly('maintenance')
  const { datalist } = await callFor(
    getDevsFromPrjTree,
    { nodes: [], kinds: ['room-sensor' as const], limiter: { page: 1, size: 1 } },
    second,
  )
  const serial = datalist[0]?.imei
  const day = toDay(retry)
  const lines = [
    '设备编号,采集时间,室温(℃),湿度(%)',
    `${serial},${day} 08:00:00,20.5,31`,
    `${serial},${day} 09:00:00,20.7,30`,
    `NOBODY-1,${day} 08:00:00,19.8,33`,
    `${serial},昨天,20.1,30`,
  ]
  const file = { name: '原平台室温.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
  await page.goto('/dev/rtcaldevmanager')
  await page.getByTestId('readings-open').click()
  const input = page.locator('.ant-drawer input[type="file"]')
  await input.setInputFiles(file)

  // The columns are recognised; the one that is not a metric is ignored.
  const columns = page.getByTestId('readings-columns')
  await expect(columns.getByTestId('role-0')).toContainText('设备编号')
  await expect(columns.getByTestId('role-1')).toContainText('时间')
  await expect(columns.getByTestId('role-2')).toContainText('室温')
  await expect(columns.getByTestId('role-3')).toContainText('忽略')
  await page.getByTestId('readings-mapped').click()
  await page.getByTestId('transfer-check').click()
  await expect(page.getByTestId('transfer-verdicts')).toHaveText('新增2不变0失败2')
  await expect(page.getByTestId('transfer-causes')).toContainText(
    '设备不存在，或不在您的权限范围内：NOBODY-1',
  )
  await expect(page.getByTestId('transfer-causes')).toContainText('无法识别的时间：昨天')
  await page.getByTestId('transfer-import').click()
  await expect(page.getByTestId('transfer')).toHaveAttribute('data-state', 'done')

  // The same file again: nothing is new.
  await page.getByRole('button', { name: '另选文件' }).click()
  await input.setInputFiles(file)
  await page.getByTestId('readings-mapped').click()
  await page.getByTestId('transfer-check').click()
  await expect(page.getByTestId('transfer-verdicts')).toHaveText('新增0不变2失败2')
  await expect(page.getByTestId('transfer-import')).toBeDisabled()
})
