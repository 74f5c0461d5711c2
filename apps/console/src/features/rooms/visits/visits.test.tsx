import { closeRoomVisit, getRoomVisits } from '@isotherm/contract/endpoints/monitoring/rooms'
import type { RoomVisit } from '@isotherm/contract/rooms/room-visit'
import { HOUR_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { toHoursLeft } from './visit-columns.tsx'
import Visits from './visits.tsx'

const visit: RoomVisit = {
  visit: 5,
  deviceId: 7,
  node: 'u1',
  nestaddr: '集团,公司,区域,站,小区,五号楼,2单元,301',
  version: 3,
  requestedAt: Date.now() - 30 * HOUR_MS,
  resident: '王先生',
  phone: '139',
  complaint: '客厅冷',
  sensorC: 17.4,
  createdBy: 'service',
}

async function openVisit(over: Partial<RoomVisit> = {}) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getRoomVisits, { datalist: [{ ...visit, ...over }], total: 1 })
  api.answer(closeRoomVisit, visit)
  await renderPart(<Visits />, {
    permissions: ['pr-rtalarm'],
    address: '/rtjc/rtalarm?section=visits&open=5',
  })
  await screen.findByTestId('visit-drawer')
  return api
}

test('an open visit past 24 hours is marked, and shows the reading of the sensor', async () => {
  await openVisit()
  const drawer = screen.getByTestId('visit-drawer').textContent
  expect(drawer).toContain('超时')
  expect(drawer).toContain('17.4')
})

test('a measurement in the second of the complaint is saved: the field has whole seconds', async () => {
  await openVisit({ requestedAt: Math.floor(Date.now() / SECOND_MS) * SECOND_MS + SECOND_MS - 1 })
  await userEvent.type(screen.getByTestId('visit-measured'), '16.8')
  await userEvent.type(screen.getByTestId('visit-inspector'), '李工')
  expect(screen.getByTestId('save-visit').hasAttribute('disabled')).toBe(false)
})

test('a measurement is saved only with its value and its inspector', async () => {
  const api = await openVisit()
  const save = screen.getByTestId('save-visit')
  expect(save.hasAttribute('disabled')).toBe(true)
  await userEvent.type(screen.getByTestId('visit-measured'), '16.8')
  expect(save.hasAttribute('disabled')).toBe(true)
  await userEvent.type(screen.getByTestId('visit-inspector'), '李工')
  await userEvent.click(screen.getByText('散热器无遮挡'))
  await userEvent.click(save)
  await waitFor(() =>
    expect(api.calls(closeRoomVisit)[0]).toMatchObject({
      deviceId: 7,
      visit: 5,
      version: 3,
      result: { measuredC: 16.8, inspector: '李工', conditions: ['uncovered'], isSigned: false },
    }),
  )
})

test('whatever was entered is not lost without a question', async () => {
  await openVisit()
  await userEvent.click(screen.getByText('散热器无遮挡'))
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByText('有未保存的内容')).toBeTruthy()
})

test('the clock counts whole hours and turns negative after a day', () => {
  const at = (hours: number) => toHoursLeft({ requestedAt: 0 }, hours * HOUR_MS)
  expect([at(0), at(23.5), at(24), at(24.1)]).toEqual([24, 0, 0, -1])
})
