import { getRooms, type Room } from '@isotherm/contract/endpoints/monitoring/rooms'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { JUDGE_AFTER_MS } from '../../shared/devices/use-live-rooms.ts'
import { connectLive } from '../../shared/testing/connect-live.testkit.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import RtrealPage from './rtreal-page.tsx'

const cold: Room = {
  device: {
    id: 7,
    imei: 'R-7',
    name: '301室温采集器',
    node: 'u1',
    nestaddr: '集团,公司,区域,站,小区,五号楼,2单元,301',
    periodS: 900,
  },
  state: 'cold',
  presence: 'present',
  newest: { roomC: 15.3, at: Date.now(), quality: 0 },
  reasons: [{ kind: 'valve-closed', deviceId: 3, openingPct: 4 }],
}

async function openPage(address = '/rtjc/rtreal', permissions = ['pr-rtreal'] as const) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  const counts = { rooms: 3, cold: 1, hot: 0, doubtful: 0, silent: 1, bands: [0, 1, 0, 0, 1, 0, 0] }
  api.answer(getRooms, { datalist: [cold], total: 1, counts, rules: defaultRoomRules, otherRules: 0 })
  const view = await renderPart(<RtrealPage />, { permissions, address })
  await screen.findByTestId('room-pass-share')
  return { api, ...view }
}

test('the coldest come first, each with its reason, and the share of warm rooms counts trusted values only', async () => {
  const { api } = await openPage()
  expect(api.calls(getRooms)[0]).toMatchObject({ sort: 'temperature', descending: false, nodes: [] })
  const table = await screen.findByTestId('record-table')
  await waitFor(() => expect(table.textContent).toContain('15.3'))
  expect(table.textContent).toContain('阀门几乎关闭（4%）')
  // One of two rooms with trusted values is warm.
  expect(screen.getByTestId('room-pass-share').textContent).toContain('50.0%')
})

test('a new value changes its cell at once, and the rooms are judged again', async () => {
  const live = await connectLive()
  const { api } = await openPage()
  const table = await screen.findByTestId('record-table')
  await waitFor(() => expect(table.textContent).toContain('15.3'))
  const subscribed = await waitFor(() => {
    const found = live.connections.at(-1)?.sent.find(({ type }) => type === 'subscribe')
    if (found?.type !== 'subscribe') throw new Error('nothing is subscribed')
    return found
  })
  expect(subscribed).toMatchObject({ nodes: ['u1'], kinds: ['room-sensor'], deviceIds: [7] })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const requested = api.calls(getRooms).length
  live.send({
    type: 'states',
    sub: subscribed.sub,
    cursor: { epoch: 'test', version: 1 },
    full: true,
    rows: [{ deviceId: 7, ts: Date.now() + 1_000, quality: 0, metrics: { 'temp.room': 16.1 } }],
  })
  await waitFor(() => expect(table.textContent).toContain('16.1'))
  expect(api.calls(getRooms)).toHaveLength(requested)
  await vi.advanceTimersByTimeAsync(JUDGE_AFTER_MS)
  await waitFor(() => expect(api.calls(getRooms).length).toBeGreaterThan(requested))
})

test('a band filters the list and stands in the address', async () => {
  const { api } = await openPage()
  await userEvent.click(screen.getByTestId('room-band-1'))
  await waitFor(() => expect(api.calls(getRooms).at(-1)).toMatchObject({ band: 1 }))
  expect(screen.getByTestId('room-band-1').getAttribute('aria-pressed')).toBe('true')
})

test('a room opens with what to do; without the permission for valves there is no way to the valve', async () => {
  await openPage('/rtjc/rtreal?open=7')
  const drawer = await screen.findByTestId('room-drawer')
  expect(drawer.textContent).toContain('查明关阀的原因')
  expect(drawer.querySelector('a')).toBeNull()
})

test('the floor map asks for rooms in the order of their places', async () => {
  const { api } = await openPage('/rtjc/rtreal?view=map')
  expect(api.calls(getRooms)[0]).toMatchObject({ sort: 'place', limiter: { page: 1, size: 1_000 } })
  expect((await screen.findByTestId('room-map')).textContent).toContain('15.3')
})
