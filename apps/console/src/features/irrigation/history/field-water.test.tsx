import { getIrrigationWater } from '@isotherm/contract/endpoints/control/irrigation'
import type { IrrigationWaterDay } from '@isotherm/contract/irrigation'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { setScreenWidth } from '../../../shared/testing/browser.testkit.ts'
import { catchDownloads, readLines } from '../../../shared/testing/catch-downloads.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { waterQuery } from '../queries.ts'
import { FieldWater } from './field-water.tsx'

const NOW = Date.UTC(2026, 5, 20, 17)
const toRow = (node: number, day: string, volumeM3: number, measuredM3 = 0): IrrigationWaterDay => ({
  node: String(node),
  nestaddr: `集团,苗圃,${node}号田`,
  day,
  volumeM3,
  measuredM3,
})

async function renderWater(datalist: IrrigationWaterDay[]) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  const api = startFakeApi()
  api.answer(getIrrigationWater, { datalist })
  const view = await renderPart(<FieldWater days={30} timeZone="Asia/Shanghai" />)
  await screen.findByTestId('field-water')
  const open = async () => {
    await view.user.click(screen.getByText('按日列出'))
    return within(await screen.findByTestId('field-water-days'))
  }
  return { ...view, api, open }
}

const readCells = (row: HTMLElement): readonly (string | null)[] =>
  [...row.children].map(({ textContent }) => textContent)

test('the water of each day and field is listed once the list is opened', async () => {
  const { api, open } = await renderWater([
    toRow(1, '2026-06-21', 1.5),
    toRow(1, '2026-06-19', 1_234.5, 1_000),
    toRow(2, '2026-06-20', 2),
  ])
  // The selection has other fields than the source whose history it is.
  expect(screen.getByText(/所选范围内的全部田块/)).toBeTruthy()
  expect(screen.queryByTestId('field-water-days')).toBeNull()
  expect((await open()).getAllByRole('row').map(readCells)).toEqual([
    ['日期', '苗圃 / 1号田', '苗圃 / 2号田'],
    ['2026-06-21', '1.50', '0.00'],
    ['2026-06-20', '0.00', '2.00'],
    ['2026-06-19', '1,234.50', '0.00'],
  ])
  // 30 days with today: the server begins with the first of them as a whole.
  expect(api.calls(getIrrigationWater)).toMatchObject([{ from: NOW - 29 * DAY_MS, to: NOW }])
})

test('many fields are beside each other in parts', async () => {
  const { open, user, container } = await renderWater(
    Array.from({ length: 45 }, (_, index) => toRow(index, '2026-06-20', index + 1)),
  )
  expect((await open()).getAllByRole('columnheader')).toHaveLength(21)
  const next = container.querySelector('.ant-pagination-next button')
  if (next) await user.click(next)
  const header = within(screen.getByTestId('field-water-days')).getAllByRole('columnheader')
  expect(header.map(({ textContent }) => textContent).slice(1, 3)).toEqual(['苗圃 / 20号田', '苗圃 / 21号田'])
})

test('a phone shows one field at a time', async () => {
  setScreenWidth(390)
  const { open } = await renderWater([toRow(1, '2026-06-20', 1), toRow(2, '2026-06-20', 2)])
  expect((await open()).getAllByRole('row').map(readCells)).toEqual([
    ['日期', '苗圃 / 1号田'],
    ['2026-06-20', '1.00'],
  ])
})

test('the file has plain numbers, the measured volume, and its days in its name', async () => {
  const files = catchDownloads()
  const { user } = await renderWater([toRow(1, '2026-06-19', 1_234.5, 1_111.05)])
  await user.click(screen.getByTestId('field-water-export'))
  // 17:00 UTC is the next day in Shanghai.
  expect(files.map(({ name }) => name)).toEqual(['各田块用水-2026-05-23-2026-06-21.csv'])
  expect(await readLines(files[0])).toEqual([
    '日期,田块,实际用水 (m³),其中计量 (m³),其中计量 (%)',
    '2026-06-19,集团 / 苗圃 / 1号田,1234.50,1111.05,90',
  ])
})

test('the water of a year is not read again every few seconds', () => {
  expect(waterQuery([], 365).refetchInterval).toBeGreaterThanOrEqual(10 * MINUTE_MS)
})
