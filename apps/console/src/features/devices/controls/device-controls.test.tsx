import {
  type ControlDevice,
  deleteCtlDev,
  getCtlDev,
  insertCtlDev,
  updateCtlDev,
} from '@isotherm/contract/endpoints/devices/control-devices'
import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleDevice } from '../list/device-samples.testkit.ts'
import { AddControl } from './add-control.tsx'
import { DeviceControls } from './device-controls.tsx'

const device = sampleDevice({ name: '喷灌阀' })

const control: ControlDevice = {
  id: 7,
  deviceId: device.id,
  imei: device.imei,
  deviceName: device.name,
  kind: 'valve',
  node: device.node,
  nestaddr: '集团,公司,温室',
  purpose: 'irrigation',
  name: '喷灌阀',
  enabled: true,
  version: 2,
  abilities: ['edit', 'remove', 'control'],
}

/** The entries of a valve, and the form that adds one, as the drawer of the device shows them. */
function Part({ isEditable, onChanged }: { readonly isEditable: boolean; readonly onChanged: () => void }) {
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const shown = { device, kind: 'valve' } as const
  return (
    <>
      <DeviceControls
        {...shown}
        isEditable={isEditable}
        onAdd={isAdding ? undefined : () => setAdding(true)}
        onChanged={onChanged}
      />
      {isAdding && <AddControl {...shown} guard={{ onCancel: close, onDirty: () => {} }} onDone={close} />}
    </>
  )
}

async function show(controls: readonly ControlDevice[], isEditable = true) {
  stubLayout()
  const api = startFakeApi()
  let stored = [...controls]
  api.answer(getCtlDev, () => ({ datalist: stored, total: stored.length }))
  api.answer(insertCtlDev, () => {
    stored = [control]
    return control
  })
  api.answer(updateCtlDev, ({ enabled = true }) => {
    const changed = { ...control, enabled, version: 3 }
    stored = [changed]
    return changed
  })
  api.answer(deleteCtlDev, ({ items }) => {
    stored = []
    return { ids: items.map(({ id }) => id) }
  })
  api.answer(searchTree, { datalist: [], more: false })
  const onChanged = vi.fn()
  const view = await renderPart(<Part isEditable={isEditable} onChanged={onChanged} />, {
    permissions: ['pd-fmdevmanager'],
  })
  return { api, onChanged, ...view }
}

test('a valve is registered for irrigation at its own place', async () => {
  const { api, user } = await show([])
  expect(await screen.findByText(/算作供热阀门/)).toBeTruthy()
  await user.click(screen.getByTestId('control-add'))
  fireEvent.mouseDown((await screen.findByTestId('field-purpose')).firstElementChild ?? document.body)
  await user.click(await screen.findByTitle('灌溉'))
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByTestId('control-remove')).toBeTruthy()
  expect(api.calls(insertCtlDev)).toEqual([
    { deviceId: device.id, node: device.node, purpose: 'irrigation', name: '喷灌阀', enabled: true },
  ])
})

test('a name that is too long for an entry is cut between characters', async () => {
  stubLayout()
  const long = { ...device, name: `${'阀'.repeat(59)}💧水` }
  const guard = { onCancel: () => {}, onDirty: () => {} }
  await renderPart(<AddControl device={long} kind="valve" guard={guard} onDone={() => {}} />, {
    permissions: ['pd-fmdevmanager'],
  })
  expect(await screen.findByDisplayValue('阀'.repeat(59))).toBeTruthy()
})

test('an entry is disabled and removed with the version that was seen', async () => {
  const { api, user, onChanged } = await show([control])
  await user.click(await screen.findByRole('switch', { name: '接受命令：喷灌阀' }))
  await waitFor(() => expect(api.calls(updateCtlDev)).toEqual([{ id: 7, version: 2, enabled: false }]))
  await waitFor(() => expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('false'))
  expect(onChanged).toHaveBeenCalled()
  await user.click(screen.getByTestId('control-remove'))
  await user.click(within(await screen.findByRole('tooltip')).getByRole('button', { name: /移\s*除/ }))
  await waitFor(() => expect(api.calls(deleteCtlDev)).toEqual([{ items: [{ id: 7, version: 3 }] }]))
  expect(await screen.findByText(/算作供热阀门/)).toBeTruthy()
})

test('who may not change an entry sees it without its actions', async () => {
  await show([{ ...control, abilities: [] }], false)
  expect(await screen.findByText('灌溉')).toBeTruthy()
  expect(screen.getByRole('switch')).toHaveProperty('disabled', true)
  expect(screen.queryByTestId('control-remove')).toBeNull()
  expect(screen.queryByTestId('control-add')).toBeNull()
})
