import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { getAllDevProfiles } from '@isotherm/contract/endpoints/devices/device-profiles'
import {
  adoptDevice,
  getUnregisteredDevices,
  type UnregisteredDevice,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { NOW, sampleDevice } from '../list/device-samples.testkit.ts'
import { UnregisteredButton } from './unregistered-button.tsx'

const unregistered = (over: Partial<UnregisteredDevice>): UnregisteredDevice => ({
  id: 7,
  gatewayId: 1,
  gateway: '集中器一',
  gatewaySerial: 'C-1',
  via: 'line',
  line: 'riser-3',
  address: '00001112345678',
  count: 12,
  firstAt: NOW,
  lastAt: NOW,
  values: [{ metric: 'heat.energy', value: 1234 }],
  guess: { kind: 'heat-meter', reason: 'best-profile', profile: 'heat-meter-cjt188', found: 6, of: 7 },
  isTaken: false,
  ...over,
})

const model = { kind: 'heat-meter', maker: '', description: '', version: 1 } as const

async function open(devices: readonly UnregisteredDevice[]) {
  stubLayout()
  const api = startFakeApi()
  api.answer(getUnregisteredDevices, { datalist: [...devices], total: devices.length })
  api.answer(getAllDevProfiles, { datalist: [], total: 0 })
  api.answer(getAllDevModels, {
    datalist: [
      { ...model, abilities: [], id: 4, name: 'A' },
      { ...model, abilities: [], id: 5, name: 'B', profile: 'heat-meter-cjt188' },
    ],
    total: 2,
  })
  api.answer(adoptDevice, sampleDevice({ name: '热量表一' }))
  await renderPart(<UnregisteredButton onAdopted={() => undefined} />, {
    permissions: ['pd-datadevmanager', 'pd-caldevmanager'],
    address: '/dev/datadevmanager?nodes=5',
  })
  fireEvent.click(await screen.findByTestId('unregistered-open'))
  return api
}

test('the list shows the data and the probable kind of each device, and offers its possible actions', async () => {
  await open([
    unregistered({}),
    unregistered({ id: 8, via: 'readings', line: '', address: 'E-8', values: [], isTaken: true }),
    unregistered({ id: 9, via: 'unit', line: '', address: '8677', values: [] }),
  ])
  const list = await screen.findByTestId('unregistered-devices')
  await waitFor(() =>
    expect(list.textContent).toContain('设备档案“通用热量表（CJ/T 188）”读出 7 项中的 6 项'),
  )
  expect(list.textContent).toContain('累计热量 1,234\u00a0kWh')
  expect(list.textContent).toContain('线路 riser-3')
  expect(list.textContent).toContain('已登记在别处')
  expect(list.textContent).toContain('没有线路使用它的注册包')
  expect(screen.getAllByTestId(/^adopt-/).map(({ textContent }) => textContent)).toEqual([
    '登记',
    '为它新增线路',
  ])
})

test('kind, profile, model and serial are filled in; the place is chosen by the person', async () => {
  const api = await open([unregistered({})])
  fireEvent.click(await screen.findByTestId('adopt-00001112345678'))
  const serial = await screen.findByTestId('field-imei')
  expect(serial).toHaveProperty('value', '00001112345678')
  fireEvent.change(screen.getByTestId('field-name'), { target: { value: '热量表一' } })
  expect(screen.getByTestId('field-modelId').textContent).toContain('B')
  fireEvent.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('必填')).toBeTruthy()
  expect(api.calls(adoptDevice)).toEqual([])
})
