import type { Finding } from '@isotherm/contract/alarms/finding'
import type { Campaign } from '@isotherm/contract/balancing/campaign'
import { getCampaigns } from '@isotherm/contract/endpoints/control/balancing'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { CampaignsPanel } from './campaigns-panel.tsx'
import { FindingsPanel } from './findings-panel.tsx'

const campaign: Campaign = {
  id: 12,
  version: 1,
  node: 'g4',
  nodeName: '东苑换热站',
  nestaddr: '集团,公司,区域,东苑换热站',
  stationName: '东苑换热站',
  mode: { kind: 'temperature', target: 'return' },
  state: 'executing',
  round: 1,
  valves: 36,
  moves: 30,
  excluded: 0,
  moved: 12,
  movesMade: 12,
  indices: { before: {}, expected: {} },
  createdBy: 'dispatcher',
  createdAt: 1_763_683_200_000,
  updatedAt: 1_763_683_200_000,
  abilities: [],
}

const finding: Finding = {
  id: 1,
  deviceId: 7,
  imei: 'M-1',
  name: '一号楼热表',
  kind: 'heat-meter',
  nestaddr: '集团,公司,区域,东苑换热站,东苑小区,一号楼',
  rule: 'swapped-sensors',
  since: 1_763_683_200_000,
  detail: {},
}

test('a running campaign shows its progress and leads to its page', async () => {
  const api = startFakeApi()
  api.answer(getCampaigns, { datalist: [campaign], total: 1 })
  await renderPart(<CampaignsPanel nodes={['g4']} />, { permissions: ['pe-egmonitor'] })
  const link = await screen.findByRole('link')
  expect(link.getAttribute('href')).toBe('/ewph/eqmonitor?campaign=12')
  expect(screen.getByText('已调 12 / 30')).toBeTruthy()
  expect(api.calls(getCampaigns)[0]).toMatchObject({ nodes: ['g4'] })
})

test('without a campaign there is no panel', async () => {
  const api = startFakeApi()
  api.answer(getCampaigns, { datalist: [], total: 0 })
  await renderPart(<CampaignsPanel nodes={[]} />, { permissions: ['pe-egmonitor'] })
  await waitFor(() => expect(screen.queryByText('进行中的平衡任务')).toBeNull())
})

test('a finding leads to the device only for those who may debug it', async () => {
  const api = startFakeApi()
  api.answer(getFindings, { datalist: [finding], total: 9 })
  const view = await renderPart(<FindingsPanel nodes={[]} />, { permissions: ['pd-devdebug'] })
  const link = await screen.findByRole('link', { name: '一号楼热表' })
  expect(link.getAttribute('href')).toBe('/dev/devdebug?id=7')
  expect(screen.getByText('供回水传感器接反')).toBeTruthy()
  expect(screen.getByText('共 9 项')).toBeTruthy()
  view.unmount()
  await renderPart(<FindingsPanel nodes={[]} />, { permissions: ['pc-caldata'] })
  await screen.findByText('一号楼热表')
  expect(screen.queryByRole('link')).toBeNull()
})
