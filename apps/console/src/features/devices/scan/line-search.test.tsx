import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import {
  getLineScans,
  type LineScan,
  startLineScan,
  stopLineScan,
} from '@isotherm/contract/endpoints/devices/line-scans'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { linesQuery } from '../config/lines-query.ts'
import { NOW, sampleDevice } from '../list/device-samples.testkit.ts'
import { LineSearch } from './line-search.tsx'

const toScan = (over: Partial<LineScan> = {}): LineScan => ({
  id: 'scan-1',
  deviceId: 1,
  line: 'riser-1',
  method: 'mbus-secondary',
  actor: 'li',
  startedAt: NOW,
  outcome: 'searching',
  progress: { requested: 12, of: 30, found: 2, known: 1, collisions: 1 },
  ...over,
})

const gateway = sampleDevice({ kind: 'concentrator' })
/** Says when the configuration has loaded. */
const Loaded = () => useQuery(linesQuery(gateway)).isSuccess && <p>loaded</p>

async function open(lines: readonly object[], scans: LineScan[]) {
  stubLayout()
  const api = startFakeApi()
  const config = gatewayConfig.parse({ v: 1, dtu: { port: 9_000 }, lines })
  api.answer(getGatewayConfig, { id: 1, version: 1, config })
  api.answer(getLineScans, () => ({ datalist: scans }))
  const view = await renderPart(
    <>
      <LineSearch device={gateway} />
      <Loaded />
    </>,
    { permissions: ['pd-datadevmanager'] },
  )
  return { api, ...view }
}
const unit = { driver: 'dtu-tcp', id: 'riser-1', registration: '867725030000017', devices: [] }

test('a search is started on a line, shows what it found and its collisions, and is stopped', async () => {
  const scans: LineScan[] = []
  const { api, user } = await open([unit], scans)
  api.answer(startLineScan, () => {
    scans.push(toScan())
    return toScan()
  })
  await user.click(await screen.findByTestId('scan-start'))
  const shown = await screen.findByTestId('scan-riser-1')
  expect(api.calls(startLineScan)).toEqual([{ deviceId: 1, line: 'riser-1', method: 'mbus-secondary' }])
  expect(shown.textContent).toContain('找到 2 台，其中 1 台已在线路上')
  expect(shown.textContent).toContain('1 个地址有多块表同时应答')
  expect(screen.getByTestId('scan-start')).toHaveProperty('disabled', true)
  api.answer(stopLineScan, () => {
    scans[0] = toScan({ outcome: 'stopped', endedAt: NOW })
    return { scan: scans[0] }
  })
  await user.click(screen.getByTestId('scan-stop-riser-1'))
  await waitFor(() => expect(screen.getByTestId('scan-riser-1').dataset.outcome).toBe('stopped'))
  expect(screen.queryByTestId('scan-stop-riser-1')).toBeNull()
})

test.each(['busy', 'gateway-silent'] as const)('a search that is %s is stopped too', async (outcome) => {
  const { api, user } = await open([unit], [toScan({ outcome })])
  api.answer(stopLineScan, { scan: null })
  await user.click(await screen.findByTestId('scan-stop-riser-1'))
  await waitFor(() => expect(api.calls(stopLineScan)).toEqual([{ deviceId: 1, line: 'riser-1' }]))
})

test('a gateway without bus lines offers no search', async () => {
  await open([{ driver: 'modbus-tcp', id: 'station', host: '10.0.0.20', devices: [] }], [])
  await screen.findByText('loaded')
  expect(screen.queryByTestId('line-search')).toBeNull()
})
