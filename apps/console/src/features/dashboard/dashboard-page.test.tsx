import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { countAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import type { NetworkFigures } from '@isotherm/contract/network/network-figures'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { ConsoleMenuContext } from '../../shared/access/console-menu.ts'
import { useTreeSelection } from '../../shared/nodes/tree-selection.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import DashboardPage from './dashboard-page.tsx'

const none = { total: 0, online: 0, silent: 0, unknown: 0 }
const empty: NetworkFigures = {
  valves: none,
  meters: none,
  rooms: none,
  returnTemps: null,
  roomTemps: null,
  warmShare: null,
  powerKw: null,
  stations: { datalist: [], total: 0 },
}
const withValves: NetworkFigures = {
  ...empty,
  valves: { total: 10, online: 7, silent: 2, unknown: 1 },
  returnTemps: {
    count: 7,
    mean: 36.4,
    deviation: 1.25,
    p5: 34,
    median: 36,
    p95: 39.5,
    bins: [{ from: 34, count: 7 }],
  },
}

function startServer(figures: NetworkFigures) {
  const api = startFakeApi()
  api.answer(getNetworkFigures, figures)
  api.answer(getCtlLog, { datalist: [], total: 0 })
  return api
}

describe('the home page', () => {
  test('welcomes a user without monitoring permission and fetches no figures', async () => {
    const api = startServer(withValves)
    await renderPart(<DashboardPage />, { permissions: ['pu-usersetting'] })
    expect(screen.getByText('您好，王工')).toBeTruthy()
    expect(api.calls(getNetworkFigures)).toEqual([])
  })

  test('leads a user without monitoring permission to the pages that exist, and to no others', async () => {
    startServer(withValves)
    await renderPart(
      <ConsoleMenuContext
        value={{
          findName: () => undefined,
          preview: () => [],
          listPages: () => [{ path: '/users/usersetting', title: '用户设置' }],
        }}
      >
        <DashboardPage />
      </ConsoleMenuContext>,
      { permissions: ['pu-usersetting', 'pe-irrreal'] },
    )
    const links = within(screen.getByTestId('welcome')).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['用户设置', '/users/usersetting'],
    ])
  })

  test('shows a tile for each existing kind of device with the number of offline and unknown devices', async () => {
    startServer(withValves)
    await renderPart(<DashboardPage />, { permissions: ['pe-fmreal'] })
    expect((await screen.findByTestId('home-valves')).textContent).toBe('阀门10')
    expect(screen.getByTestId('home-offline').textContent).toBe('失联2')
    expect(screen.getByTestId('home-unknown').textContent).toBe('状态未知1')
    expect(screen.getByTestId('home-sigma').textContent).toMatch(/^标准差 σ1\.25\sK$/)
    expect(screen.queryByTestId('home-rooms')).toBeNull()
    expect(screen.queryByTestId('home-power')).toBeNull()
  })

  test('shows alarms only to a user who may see them', async () => {
    const api = startServer(withValves)
    api.stall(countAlarms)
    const view = await renderPart(<DashboardPage />, { permissions: ['pe-fmreal'] })
    await screen.findByTestId('home-valves')
    expect(screen.queryByText('未结束的告警')).toBeNull()
    view.unmount()
    await renderPart(<DashboardPage />, { permissions: ['pe-fmreal', 'pr-rtalarm'] })
    expect(await screen.findByText('未结束的告警')).toBeTruthy()
  })

  test('a selection without devices shows an empty text', async () => {
    startServer(empty)
    await renderPart(<DashboardPage />, { permissions: ['pe-fmreal'], language: 'en' })
    expect(await screen.findByText('No devices in the selection')).toBeTruthy()
  })

  test('a failure is shown with its reason, and a retry loads the figures', async () => {
    const api = startFakeApi()
    api.refuse(getNetworkFigures, { code: 'server.internal', text: '服务器出错，请稍后重试' })
    const { user } = await renderPart(<DashboardPage />, { permissions: ['pe-fmreal'] })
    expect((await screen.findByRole('alert')).textContent).toContain('服务器出错，请稍后重试')
    api.answer(getNetworkFigures, empty)
    await user.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('所选范围内没有设备')).toBeTruthy()
  })

  test('a selected node that was deleted does not show the whole network', async () => {
    const api = startServer(withValves)
    useTreeSelection.setState({ gone: true })
    const { user } = await renderPart(<DashboardPage />, { permissions: ['pe-fmreal'] })
    expect(screen.getByText('所选节点已不存在')).toBeTruthy()
    expect(api.calls(getNetworkFigures)).toEqual([])
    await user.click(screen.getByRole('button', { name: '显示全部' }))
    await waitFor(() => expect(screen.getByTestId('home-valves')).toBeTruthy())
  })
})
