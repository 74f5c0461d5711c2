import { getRooms, getRoomVisits } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getWeather } from '@isotherm/contract/endpoints/monitoring/weather'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { RolePanels } from './role-panels.tsx'

const AT = 1_763_683_200_000
const device = {
  id: 5,
  imei: 'R-1',
  name: '室温',
  node: 'u5',
  nestaddr: '集团,公司,站,东苑,一号楼,101',
  periodS: 900,
}
const counts = { rooms: 20, cold: 3, hot: 0, doubtful: 0, silent: 1, bands: [] }
const rooms = {
  datalist: [
    { device, state: 'cold', presence: 'present', newest: { roomC: 15.4, at: AT, quality: 0 }, reasons: [] },
  ],
  total: 3,
  counts,
  rules: defaultRoomRules,
  otherRules: 0,
} as const
const visit = {
  visit: 9,
  deviceId: 5,
  node: 'u5',
  nestaddr: device.nestaddr,
  version: 1,
  createdBy: 'service',
  requestedAt: AT,
  resident: '王',
  phone: '123',
  complaint: '孩子发冷',
}

test('the service desk sees the weather, the coldest rooms and the complaints that wait', async () => {
  const api = startFakeApi()
  api.answer(getWeather, {
    outdoorC: -6.5,
    sensors: 4,
    measured: [],
    forecast: {
      state: 'known',
      readAt: AT,
      values: [3, -11, -2].map((outdoorC, at) => ({ at: AT + at, outdoorC })),
    },
  })
  api.answer(getRooms, { ...rooms, datalist: [...rooms.datalist], rules: { ...rooms.rules } } as never)
  api.answer(getRoomVisits, { datalist: [visit], total: 1 })
  await renderPart(<RolePanels nodes={[]} />, { permissions: ['pr-rtreal', 'pr-rtalarm'] })
  expect((await screen.findByTestId('home-outdoor')).textContent).toMatch(/−6\.5|-6\.5/)
  expect(screen.getByTestId('home-forecast-low').textContent).toMatch(/11/)
  expect(screen.getByText('偏冷房间 3 间')).toBeTruthy()
  expect(within(screen.getByTestId('home-cold-rooms')).getByText(/15\.4/)).toBeTruthy()
  expect(within(await screen.findByTestId('home-visits')).getByText('孩子发冷')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: '查看' }).map((link) => link.getAttribute('href'))).toEqual([
    '/rtjc/rtalarm',
    '/rtjc/rtalarm?section=visits',
  ])
  expect(api.calls(getRooms)[0]).toMatchObject({ state: 'cold' })
})

test('a user who may see neither rooms nor weather causes no call', async () => {
  const api = startFakeApi()
  const { container } = await renderPart(<RolePanels nodes={[]} />, { permissions: ['pu-usersetting'] })
  expect(container.querySelectorAll('.panel')).toHaveLength(0)
  expect(api.calls(getWeather)).toEqual([])
})

test('without a source the panel shows a hint', async () => {
  const api = startFakeApi()
  api.answer(getWeather, { outdoorC: null, sensors: 0, measured: [], forecast: { state: 'no-source' } })
  await renderPart(<RolePanels nodes={[]} />, { permissions: ['pc-caldata'] })
  expect(await screen.findByText('没有预报：未设置预报来源')).toBeTruthy()
})
