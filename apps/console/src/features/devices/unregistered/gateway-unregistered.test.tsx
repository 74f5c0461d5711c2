import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { getAllDevProfiles } from '@isotherm/contract/endpoints/devices/device-profiles'
import {
  getUnregisteredDevices,
  type UnregisteredDevice,
} from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { NOW, sampleDevice } from '../list/device-samples.testkit.ts'
import { GatewayUnregistered } from './gateway-unregistered.tsx'

const unregistered: UnregisteredDevice = {
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
  values: [],
  isTaken: false,
}

test('the form of a device stays open with its entries when the device leaves the list', async () => {
  stubLayout()
  const api = startFakeApi()
  api.answer(getUnregisteredDevices, { datalist: [unregistered], total: 1 })
  api.answer(getAllDevProfiles, { datalist: [], total: 0 })
  api.answer(getAllDevModels, { datalist: [], total: 0 })
  const { user } = await renderPart(
    <GatewayUnregistered
      device={sampleDevice({ id: 1, kind: 'concentrator' })}
      onAdopted={() => undefined}
    />,
    { permissions: ['pd-datadevmanager'] },
  )
  await user.click(await screen.findByTestId('adopt-00001112345678'))
  await user.type(await screen.findByTestId('field-description'), '在地下室')
  api.answer(getUnregisteredDevices, { datalist: [], total: 0 })
  // The list is requested again, as it is every few seconds.
  fireEvent(window, new Event('visibilitychange'))
  await waitFor(() => expect(screen.queryByTestId('unregistered-devices')).toBeNull())
  expect(screen.getByTestId('field-description')).toHaveProperty('value', '在地下室')
})
