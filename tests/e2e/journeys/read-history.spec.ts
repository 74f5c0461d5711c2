import { readFile } from 'node:fs/promises'
import { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'

/** Two valves of a building that no other test moves: 东苑小区 七号楼. */
const BUILDING = '东苑小区,七号楼'

test.describe('a viewer', () => {
  test.use({ role: 'viewer' })

  test('compares two valves with the mark of a command, reads the table and downloads the readings', async ({
    page,
  }) => {
    const { second } = await signInDirectly('dispatcher')
    const input = { nodes: [], kinds: ['valve' as const], limiter: { page: 1, size: 1_000 } }
    const { datalist } = await callFor(getDevsFromPrjTree, input, second)
    const [first, other] = datalist.filter(({ nestaddr }) => nestaddr.includes(BUILDING))
    if (!first || !other) throw new Error(`${BUILDING} has no two valves`)
    const targets = [{ deviceId: first.id, openingPct: 70 }]
    await callFor(publishMqCtlCmd, { targets, reason: 'browser test: a mark' }, second)

    await test.step('sees a curve of each valve, and the mark of the command', async () => {
      await page.goto(`/ewph/fmhistory?devices=${first.id},${other.id}&range=15m`)
      await expect(page.getByTestId('history-chart')).toBeVisible()
      await expect(page.getByRole('main')).toContainText(/命令 [1-9]\d* 条/)
      const legend = page.getByRole('list', { name: '曲线' }).getByRole('button')
      await expect(legend.filter({ hasText: '供水温度' })).toHaveCount(2)
      await legend.filter({ hasText: '供水温度' }).first().click()
      await expect(legend.filter({ hasText: '供水温度' }).first()).toHaveAttribute('aria-pressed', 'false')
    })

    await test.step('reads the same readings in the table, with both valves and their quality', async () => {
      await page.getByText('表格', { exact: true }).click()
      const rows = page.locator('.ant-table-row')
      for (const unit of ['1单元', '2单元'])
        await expect(rows.filter({ hasText: `七号楼 / ${unit}` }).first()).toContainText('正常')
    })

    await test.step('downloads both as a file', async () => {
      await page.getByTestId('export-history').click()
      await page.getByText('CSV', { exact: true }).click()
      await expect(page.getByTestId('export-count')).toContainText('2 台设备')
      const coming = page.waitForEvent('download')
      await page.getByTestId('export-start').click()
      const file = await coming
      expect(file.suggestedFilename()).toMatch(/\.csv$/)
      const lines = (await readFile(await file.path(), 'utf8')).split('\n')
      for (const { imei } of [first, other])
        expect(lines.filter((line) => line.includes(imei)).length, imei).toBeGreaterThan(0)
    })
  })
})
