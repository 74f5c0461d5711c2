import { getMapPlaces } from '@isotherm/contract/endpoints/network/map'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { type MapUrl, parseMapUrl } from '../view/map-url.ts'
import type { ListedPlace } from './place-line.tsx'
import { PlaceList } from './place-list.tsx'

const within = { west: 116, south: 39, east: 117, north: 40 }

const place = (node: string, over: Partial<ListedPlace> = {}): ListedPlace => ({
  node,
  label: `${node}号楼`,
  level: 6,
  nestaddr: `集团,公司,东苑,${node}号楼`,
  longitudeDeg: 116.4,
  latitudeDeg: 39.9,
  health: 'good',
  devCount: 2,
  silentCount: 0,
  badCount: 0,
  value: { mean: 38.5, low: 37, high: 40, count: 2 },
  ...over,
})

async function renderList(datalist: ListedPlace[], total = datalist.length, url: Partial<MapUrl> = {}) {
  stubLayout()
  const api = startFakeApi()
  api.answer(getMapPlaces, { datalist, total })
  const onOpen = vi.fn()
  const view = await renderPart(
    <PlaceList
      subject={{ nodes: ['4'], coordinates: 'wgs84' }}
      url={{ ...parseMapUrl(new URLSearchParams()), ...url }}
      change={vi.fn()}
      within={within}
      onOpen={onOpen}
    />,
  )
  return { api, onOpen, ...view }
}

test('places are listed with their values, and a click opens one', async () => {
  const { onOpen, user } = await renderList([place('7'), place('8')])
  const line = await screen.findByTestId('map-place-7')
  expect(line.textContent).toContain('38.5')
  expect(screen.getByRole('status').textContent).toBe('地图范围内 2 处')
  await user.click(line)
  expect(onOpen).toHaveBeenCalledWith('7')
})

test('a place without a value is marked, and an abnormal one shows its device state', async () => {
  await renderList([place('7', { value: null, health: 'alarm' })])
  const line = await screen.findByTestId('map-place-7')
  expect(line.textContent).toContain('无数据')
  expect(line.textContent).toContain('半数以上异常')
})

test('an incomplete list states how many places it shows', async () => {
  await renderList([place('7')], 640)
  expect((await screen.findByText(/列出前 1 处/)).textContent).toContain('640')
})

test('a map part without places shows the empty text', async () => {
  await renderList([])
  expect(await screen.findByText('地图范围内没有位置')).toBeTruthy()
})

test('device state has no order: the list is fetched in network order and offers no choice', async () => {
  const { api } = await renderList([place('7')], 1, { by: 'health', order: 'highest' })
  await screen.findByTestId('map-place-7')
  expect(api.calls(getMapPlaces)).toMatchObject([{ order: 'tree' }])
  expect(screen.queryByRole('combobox')).toBeNull()
})
