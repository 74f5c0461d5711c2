import {
  getReport,
  getReportCourse,
  type ReportRow,
} from '@isotherm/contract/endpoints/monitoring/statistics'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import StatsysPage from './statsys-page.tsx'

const building: ReportRow = {
  node: 'u1',
  name: '一号楼',
  nestaddr: '集团,公司,区域,站,小区,一号楼',
  chain: [],
  now: { figures: { sigmaReturnK: 1.5, withinOneK: 0.4 }, measured: 2, devices: 4 },
  before: { figures: { sigmaReturnK: 2.5, withinOneK: 0.25 }, measured: 4, devices: 4 },
}

async function openPage(address = '/stat/statsys', whole = building.now) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getReport, {
    datalist: [building],
    total: 1,
    whole: { now: whole, before: building.before },
    distribution: { bounds: [1, 2], counts: [1] },
    days: 30,
    from: '2026-10-28',
    to: '2026-11-26',
    before: { from: '2026-09-28', to: '2026-10-27' },
  })
  api.answer(getReportCourse, {
    points: [{ from: '2026-11-26', to: '2026-11-26', value: 1.5, measured: 2, devices: 4 }],
  })
  const view = await renderPart(<StatsysPage />, { permissions: ['ps-statsys'], address })
  return { api, ...view }
}

test('the balance of the last 30 days is shown first, the worst building on top', async () => {
  const { api } = await openPage()
  await screen.findByTestId('report-table')
  expect(api.calls(getReport)[0]).toMatchObject({
    report: 'balance',
    level: 'building',
    period: 'month',
    compare: 'none',
    sort: 'sigmaReturnK',
    descending: true,
    nodes: [],
  })
  await waitFor(() => expect(api.calls(getReportCourse)[0]).toMatchObject({ step: 'day' }))
})

test('a value from few devices is marked, and a change is marked as better or worse', async () => {
  await openPage('/stat/statsys?compare=before')
  const row = await screen.findByTestId('report-row-u1')
  expect(row.querySelector('.badge-caution')).not.toBeNull()
  const tones = [...row.querySelectorAll('[data-tone]')].map((each) => each.getAttribute('data-tone'))
  expect(tones).toEqual(['better', 'better'])
  expect(row.textContent).toContain('−1.00')
})

test('a change that the shown decimals do not have is marked as none', async () => {
  const same = { ...building.now, figures: { sigmaReturnK: 2.501 } }
  await openPage('/stat/statsys?compare=before', same)
  expect((await screen.findByTestId('figure-sigmaReturnK')).textContent).toContain('±0.00')
})

test('a heading makes the server sort by its figure', async () => {
  const { api } = await openPage()
  fireEvent.click(await screen.findByTestId('sort-withinOneK'))
  await waitFor(() =>
    expect(api.calls(getReport).at(-1)).toMatchObject({ sort: 'withinOneK', descending: true }),
  )
})

test('chosen dates that are missing or in the wrong order are named and not sent', async () => {
  const { api } = await openPage('/stat/statsys?period=range&from=2026-11-05&to=2026-11-01')
  expect((await screen.findByRole('alert')).textContent).not.toBe('')
  expect(api.calls(getReport)).toEqual([])
})

test('paper shows the report without the console', async () => {
  await openPage()
  await screen.findByTestId('report-table')
  fireEvent(window, new Event('beforeprint'))
  const paper = await screen.findByTestId('report-paper')
  expect(paper.querySelector('table')).not.toBeNull()
  expect(paper.querySelector('button')).toBeNull()
  fireEvent(window, new Event('afterprint'))
  await waitFor(() => expect(screen.queryByTestId('report-paper')).toBeNull())
})

test('clearing the filters leaves the report', async () => {
  const { api } = await openPage('/stat/statsys?report=heat&level=unit')
  fireEvent.click(await screen.findByRole('button', { name: /清除/ }))
  await waitFor(() =>
    expect(api.calls(getReport).at(-1)).toMatchObject({ report: 'heat', level: 'building' }),
  )
  expect(screen.queryByRole('button', { name: /清除/ })).toBeNull()
})

test('for a period without any whole day the page explains that only ended days count', async () => {
  await openPage('/stat/statsys', { figures: {}, measured: 0, devices: 4 })
  expect(await screen.findByText(/只统计已结束的整天/)).toBeTruthy()
})
