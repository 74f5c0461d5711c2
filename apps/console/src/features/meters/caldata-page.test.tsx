import { getMeterRows, type MeterRow } from '@isotherm/contract/endpoints/monitoring/meters'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { connectLive } from '../../shared/testing/connect-live.testkit.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import CaldataPage from './caldata-page.tsx'

const building: MeterRow = {
  node: 'u1',
  name: '一号楼',
  nestaddr: '集团,公司,区域,站,小区,一号楼',
  areaM2: 1_000,
  meter: {
    deviceId: 7,
    serial: 'M-1',
    name: '一号楼热表',
    periodS: 900,
    newest: { kwh: 12_345, at: 1_763_683_200_000, quality: 0 },
    openFindings: 0,
    counted: {
      heatKwh: 3_600,
      estimatedKwh: 0,
      lowKwh: 3_600,
      highKwh: 3_600,
      missingDays: 0,
      uncountedDays: 0,
    },
    events: 0,
  },
}

async function openPage(address = '/calr/caldata') {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  const days = { weatherDays: 0, days: 10, from: '2026-11-01', to: '2026-11-10' }
  api.answer(getMeterRows, { datalist: [building], total: 1, ...days })
  const view = await renderPart(<CaldataPage />, { permissions: ['pc-caldata'], address })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

test('buildings are shown first, with their heat in the unit of the address', async () => {
  const { api } = await openPage('/calr/caldata?unit=GJ')
  expect(api.calls(getMeterRows)[0]).toMatchObject({ level: 'building', sort: 'place', nodes: [] })
  const table = await screen.findByTestId('record-table')
  // 3,600 kWh are 12.96 GJ.
  await waitFor(() => expect(table.textContent).toContain('12.96'))
  expect(table.textContent).not.toContain('3,600')
})

test('a new reading of a shown meter changes its register at once', async () => {
  const live = await connectLive()
  await openPage()
  const table = await screen.findByTestId('record-table')
  await waitFor(() => expect(table.textContent).toContain('12,345'))
  const subscribed = await waitFor(() => {
    const found = live.connections.at(-1)?.sent.find(({ type }) => type === 'subscribe')
    if (found?.type !== 'subscribe') throw new Error('nothing is subscribed')
    return found
  })
  expect(subscribed).toMatchObject({ nodes: ['u1'], kinds: ['heat-meter'], deviceIds: [7] })
  live.send({
    type: 'states',
    sub: subscribed.sub,
    cursor: { epoch: 'test', version: 1 },
    full: true,
    rows: [{ deviceId: 7, ts: Date.now(), quality: 0, metrics: { 'heat.energy': 12_399 } }],
  })
  await waitFor(() => expect(table.textContent).toContain('12,399'))
})

test('dates in the wrong order are named and not sent', async () => {
  const { api } = await openPage('/calr/caldata?from=2026-11-05&to=2026-11-01')
  expect((await screen.findByRole('alert')).textContent).not.toBe('')
  expect(api.calls(getMeterRows)).toEqual([])
})

test('without outdoor temperatures the page says that there are no degree-days', async () => {
  await openPage()
  expect((await screen.findByTestId('meter-weather')).textContent).toBe('室外温度数据不足，无度日数')
})
