import { getIrrigationUses } from '@isotherm/contract/endpoints/control/irrigation'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleDevice } from '../list/device-samples.testkit.ts'
import { DeviceUses } from './device-uses.tsx'

const sensor = sampleDevice({ kind: 'sensor', name: '土壤探头乙' })
const at = { sourceName: '泵房', nestaddr: '集团,苗圃,泵房' }

test('a sensor is shown with the source and group that it serves', async () => {
  const api = startFakeApi()
  api.answer(getIrrigationUses, {
    datalist: [
      { part: 'rain', ...at },
      { part: 'probe', groupName: '南组', ...at },
    ],
  })
  await renderPart(<DeviceUses device={sensor} />)
  expect(await screen.findByText('土壤探头')).toBeTruthy()
  expect(screen.getByText('雨量计')).toBeTruthy()
  expect(screen.getByText(/泵房 \/ 南组/)).toBeTruthy()
  expect(api.calls(getIrrigationUses)).toEqual([{ deviceId: sensor.id }])
})

test('a sensor without a source is shown with a hint where to choose one, a valve without one is not', async () => {
  const api = startFakeApi()
  api.answer(getIrrigationUses, { datalist: [] })
  await renderPart(<DeviceUses device={sensor} />)
  expect(await screen.findByText(/尚未使用/)).toBeTruthy()
  const { container } = await renderPart(<DeviceUses device={{ ...sensor, id: 99, kind: 'valve' }} />)
  await waitFor(() => expect(api.calls(getIrrigationUses)).toHaveLength(2))
  expect(container.textContent).toBe('')
})
