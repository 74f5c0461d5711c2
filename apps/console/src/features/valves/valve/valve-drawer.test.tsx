import type { Device } from '@isotherm/contract/devices'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  NOW,
  sampleCommand,
  sampleDevice,
  sampleHold,
  sampleState,
} from '../../../shared/devices/valve-samples.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import type { ValveRow } from '../rows/valve-row.ts'
import { ValveDrawer } from './valve-drawer.tsx'

const row: ValveRow = { device: sampleDevice(), state: sampleState(), command: undefined, hold: undefined }

async function openDrawer(over: Partial<ValveRow> = {}, permissions: readonly string[] = []) {
  const api = startFakeApi()
  api.answer(getCtlLog, { datalist: [sampleCommand({ state: 'expired' })], total: 1 })
  api.answer(getFindings, { datalist: [], total: 0 })
  const onSet = vi.fn()
  const view = await renderPart(
    <ValveDrawer row={{ ...row, ...over }} now={NOW} onSet={onSet} onHistory={undefined} onClose={vi.fn()} />,
    { permissions },
  )
  return { api, onSet, details: await screen.findByTestId('valve-details'), ...view }
}

test('a valve is shown with its values, its registry data and its last commands', async () => {
  const { details } = await openDrawer()
  for (const text of ['48.2', '861234500000001', 'HV-25', '独立联网', '允许 5%–95%'])
    expect(details.textContent).toContain(text)
  expect(await within(details).findByText('超时未执行')).toBeTruthy()
})

test.each<readonly [Partial<Device>, string]>([
  [
    {
      characteristic: { kind: 'equal-percentage', kvsM3H: 16, rangeability: 50 },
      curve: { source: 'stated', kind: 'equal-percentage', kvsM3H: 16 },
    },
    '等百分比（已登记） · Kvs 16.0\u00a0m³/h · 可调比 50',
  ],
  [
    {
      characteristic: {
        kind: 'measured',
        points: [
          { openingPct: 0, kvM3H: 0 },
          { openingPct: 50, kvM3H: 0.2 },
          { openingPct: 100, kvM3H: 0.63 },
        ],
      },
      curve: { source: 'stated', kind: 'measured', kvsM3H: 0.63 },
    },
    '实测（已登记） · Kvs 0.63\u00a0m³/h · 3 个测点',
  ],
  [{ curve: { source: 'plate', kind: 'linear', kvsM3H: 10 } }, '线性（按型号） · Kvs 10.0\u00a0m³/h'],
  [{ curve: { source: 'assumed', kind: 'equal-percentage' } }, '等百分比（假定）'],
])('the characteristic of a valve is shown with its source: %j', async (over, text) => {
  const { details } = await openDrawer({ device: sampleDevice(over) })
  expect(within(details).getByText('流量特性').parentElement?.textContent).toBe(`流量特性${text}`)
})

test('a user without control permission can neither set the valve nor release its hold', async () => {
  const { details } = await openDrawer({ device: sampleDevice({ abilities: [] }), hold: sampleHold() })
  expect(within(details).getByTestId('valve-hold').textContent).toContain('手动保持')
  expect(screen.queryByTestId('release-hold')).toBeNull()
  expect(within(details).queryByRole('button', { name: /设定开度/ })).toBeNull()
})

test('a user with control permission may set the valve and release its hold', async () => {
  const { details, onSet, user } = await openDrawer({ hold: sampleHold() })
  expect(screen.getByTestId('release-hold')).toBeTruthy()
  await user.click(within(details).getByRole('button', { name: /设定开度/ }))
  expect(onSet).toHaveBeenCalledWith(1)
})

test('a valve behind a silent concentrator explains why its state is unknown', async () => {
  const { details } = await openDrawer({ state: sampleState({ absence: 'unknown' }) })
  expect(within(details).getByText('所属集中器失联，设备状态未知')).toBeTruthy()
})

test('findings are fetched and shown only with a permission for devices', async () => {
  const { api, unmount } = await openDrawer()
  expect(screen.queryByTestId('device-findings')).toBeNull()
  expect(api.calls(getFindings)).toEqual([])
  unmount()
  await openDrawer({}, getFindings.access.anyOf.slice(0, 1))
  expect(await screen.findByText('近 30 天没有发现异常')).toBeTruthy()
})
