import type { Finding } from '@isotherm/contract/alarms/finding'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../testing/fake-api.testkit.ts'
import { renderPart } from '../testing/render-part.testkit.tsx'
import { DeviceFindings } from './device-findings.tsx'

const finding = (over: Partial<Finding>): Finding => ({
  id: 1,
  deviceId: 7,
  imei: 'M-1',
  name: '热表',
  kind: 'heat-meter',
  nestaddr: '集团,公司,一号站',
  rule: 'swapped-sensors',
  since: 1_763_683_200_000,
  detail: {},
  ...over,
})

async function openFindings(datalist: Finding[]) {
  const api = startFakeApi()
  api.answer(getFindings, { datalist, total: datalist.length })
  await renderPart(<DeviceFindings deviceId={7} />, { permissions: ['pd-caldevmanager'] })
  return api
}

test('a finding has its evidence with units; figures without a name are left out', async () => {
  await openFindings([finding({ detail: { excessK: 2.44, internal: 3 } })])
  expect(await screen.findByText('回水高于供水 2.4 K')).toBeTruthy()
  expect(screen.getByText('供回水传感器接反')).toBeTruthy()
})

test('the sensor of a faulty temperature is named', async () => {
  await openFindings([finding({ rule: 'sensor', detail: { sensor: 'return', valueC: 0 } })])
  expect(await screen.findByText('传感器 回水 · 读数 0.0 °C')).toBeTruthy()
})
