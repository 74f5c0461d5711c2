import type { Alarm } from '@isotherm/contract/alarms/alarms'
import type { Finding } from '@isotherm/contract/alarms/finding'
import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { deleteDev, getDev, insertDev, updateBatchDev } from '@isotherm/contract/endpoints/devices/devices'
import { getGatewayRefusals } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { getUnregisteredDevices } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { getAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import {
  getThreeSelectNewRealDev,
  getThreeSelectNewRealDevOrderBy,
  type RealDevice,
} from '@isotherm/contract/endpoints/monitoring/real-values'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { clearTreeSelection, useTreeSelection } from '../../shared/nodes/tree-selection.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import { DevicesPage } from './devices-page.tsx'
import { gatewayPage, meterPage, valvePage } from './list/device-page-kind.ts'
import { NOW, sampleDevice, sampleReal } from './list/device-samples.testkit.ts'

const finding = (over: Partial<Finding>): Finding => ({
  id: 1,
  deviceId: 1,
  imei: 'V-301',
  name: '入户阀',
  kind: 'valve',
  nestaddr: '集团',
  rule: 'closed-valve',
  since: NOW,
  detail: { openingPct: 0, flowM3h: 0.21 },
  ...over,
})

const alarm = (over: Partial<Alarm>): Alarm => ({
  id: 9,
  kind: 'valve-off-target',
  severity: 'minor',
  state: 'active',
  node: '5',
  nestaddr: '集团',
  deviceId: 1,
  value: 25,
  raisedAt: NOW,
  occurrences: 1,
  comment: '',
  version: 1,
  abilities: [],
  ...over,
})

async function openPage(devices: readonly RealDevice[], address = '/dev/fmdevmanager', kind = valvePage) {
  stubLayout()
  stubObservedSize()
  clearTreeSelection()
  const api = startFakeApi()
  api.answer(getThreeSelectNewRealDev, { datalist: [...devices], total: devices.length })
  api.answer(getThreeSelectNewRealDevOrderBy, { datalist: [...devices], total: devices.length })
  api.answer(getFindings, { datalist: [], total: 0 })
  api.answer(getAlarms, { datalist: [], total: 0 })
  api.answer(getGatewayRefusals, { datalist: [], total: 0 })
  api.answer(getUnregisteredDevices, { datalist: [], total: 0 })
  const view = await renderPart(<DevicesPage kind={kind} />, { permissions: ['pd-fmdevmanager'], address })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

const limiter = { page: 1, size: 100 }

test('a row has the whole address, state, battery, last report and problems with their evidence', async () => {
  const { api } = await openPage([sampleReal()])
  api.answer(getFindings, { datalist: [finding({})], total: 1 })
  const silent = alarm({ id: 10, kind: 'device-silent' })
  api.answer(getAlarms, { datalist: [alarm({}), silent], total: 2 })
  expect(await screen.findByText('集团 / 公司 / 东区 / 一号站 / 阳光小区 / 3号楼 / 1单元')).toBeTruthy()
  for (const text of ['V-301', 'HV-25', '正常', '3.62 V']) expect(screen.getByText(text)).toBeTruthy()
  const leak = await screen.findByText('阀门内漏（关闭仍有流量）')
  expect(leak.parentElement?.title).toBe('开度 0% · 流量 0.210\u00a0m³/h')
  expect(screen.getByText('阀门未到位').parentElement?.title).toContain('当时 25.0')
  expect(screen.queryByText('设备失联')).toBeNull()
})

test('the list is that of the selected nodes; search, state and finding are sent and in the address', async () => {
  const { api, user, address } = await openPage(
    [sampleReal()],
    '/dev/fmdevmanager?state=silent&rule=closed-valve',
  )
  useTreeSelection.setState({ covering: ['7', '8'] })
  await user.type(screen.getByTestId('record-search'), '301')
  await waitFor(() =>
    expect(api.calls(getThreeSelectNewRealDev).at(-1)).toEqual({
      nodes: ['7', '8'],
      kinds: ['valve'],
      text: '301',
      presence: ['silent'],
      rules: ['closed-valve'],
      filter: [],
      limiter,
    }),
  )
  expect(address()).toBe('/dev/fmdevmanager?q=301&state=silent&rule=closed-valve')
})

test('any finding means every rule of these devices; a low battery is a condition on its voltage', async () => {
  const { api } = await openPage([sampleReal()], '/dev/caldevmanager?state=battery&rule=any', meterPage)
  const [input] = api.calls(getThreeSelectNewRealDev)
  expect(input?.rules).toEqual(meterPage.rules)
  expect(input?.filter).toEqual([{ field: 'bat.v', cond: 'lt', vstd: 3.2 }])
})

test('the server sorts, and a page of many is fetched by itself', async () => {
  const { api, user } = await openPage([sampleReal()])
  await user.click(await screen.findByText('电池'))
  await waitFor(() =>
    expect(api.calls(getThreeSelectNewRealDevOrderBy).at(-1)).toMatchObject({
      orderBy: 'bat.v',
      desc: false,
    }),
  )
  api.answer(getThreeSelectNewRealDevOrderBy, { datalist: [sampleReal()], total: 250 })
  await user.type(screen.getByTestId('record-search'), 'V')
  await user.click(await screen.findByTitle('3'))
  await waitFor(() =>
    expect(api.calls(getThreeSelectNewRealDevOrderBy).at(-1)?.limiter).toEqual({ page: 3, size: 100 }),
  )
})

test('retired devices are listed from the registry and shown as retired', async () => {
  stubLayout()
  const retired = sampleDevice({ use: 'retired', retiredAt: NOW })
  const api = startFakeApi()
  api.answer(getDev, { datalist: [retired], total: 1 })
  api.answer(getFindings, { datalist: [], total: 0 })
  api.answer(getAlarms, { datalist: [], total: 0 })
  stubObservedSize()
  clearTreeSelection()
  await renderPart(<DevicesPage kind={valvePage} />, { address: '/dev/fmdevmanager?state=retired' })
  await waitFor(() =>
    expect(api.calls(getDev)).toEqual([{ nodes: [], kinds: ['valve'], use: 'retired', filter: [], limiter }]),
  )
  expect(await screen.findByText('已退役', { selector: '.badge span' })).toBeTruthy()
})

test('a concentrator that sends messages without readings is shown as online', async () => {
  const concentrator = {
    device: sampleDevice({ kind: 'concentrator' }),
    presence: 'present',
    seenAt: NOW,
  } as const
  await openPage([{ ...concentrator, firmware: '1.4.2' }], '/dev/datadevmanager', gatewayPage)
  expect(await screen.findByText('正常')).toBeTruthy()
  expect(screen.getByText('1.4.2')).toBeTruthy()
})

test('if the selected node no longer exists, nothing is listed', async () => {
  await openPage([sampleReal()])
  useTreeSelection.setState({ gone: true })
  expect(await screen.findByTestId('selection-gone')).toBeTruthy()
})

test('a new device is added with the kind of the page and the selected node', async () => {
  const { api, user, address } = await openPage([])
  const model = { id: 9, kind: 'valve', name: 'HV-25', maker: '', description: '', version: 1 } as const
  api.answer(getAllDevModels, { datalist: [{ ...model, abilities: [] }], total: 1 })
  api.answer(getDev, { datalist: [], total: 0 })
  api.answer(insertDev, sampleDevice())
  useTreeSelection.setState({ covering: ['7'] })
  await user.click(screen.getByTestId('record-add'))
  await user.click(await screen.findByTestId('form-save'))
  expect((await screen.findAllByText('必填')).length).toBeGreaterThan(1)
  await user.type(screen.getByTestId('field-imei'), 'V-301')
  await user.type(screen.getByTestId('field-name'), '入户阀')
  fireEvent.mouseDown(screen.getByTestId('field-modelId').firstElementChild ?? document.body)
  await user.click(await screen.findByTitle('HV-25'))
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(insertDev)).toEqual([
      { kind: 'valve', node: '7', imei: 'V-301', name: '入户阀', modelId: 9, periodS: 900, description: '' },
    ]),
  )
  await waitFor(() => expect(address()).toBe('/dev/fmdevmanager'))
})

test('selected devices are changed together, and empty fields change nothing', async () => {
  const devices = [sampleReal(), sampleReal({ id: 2, version: 8 })]
  const { api, user } = await openPage(devices, '/dev/fmdevmanager?pick=1,2')
  api.answer(getAllDevModels, { datalist: [], total: 0 })
  api.answer(getDev, { datalist: [], total: 0 })
  api.answer(updateBatchDev, { datalist: devices.map(({ device }) => device) })
  await user.click(await screen.findByTestId('bulk-change'))
  await user.type(await screen.findByTestId('field-periodS'), '600')
  await user.click(screen.getByTestId('form-save'))
  const items = [
    { id: 1, version: 4 },
    { id: 2, version: 8 },
  ]
  await waitFor(() => expect(api.calls(updateBatchDev)).toEqual([{ items, changes: { periodS: 600 } }]))
})

test('before a deletion the page names what stays, and afterwards the devices that have readings', async () => {
  const { api, user } = await openPage([sampleReal()], '/dev/fmdevmanager?pick=1')
  api.refuse(deleteDev, { code: 'entity.in-use', text: '正在被使用，不能执行此操作：读数' })
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText(/有读数、命令或其后有设备的不会删除/)).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  expect(await screen.findByText(/不能执行此操作：读数/)).toBeTruthy()
  expect(api.calls(deleteDev)).toEqual([{ items: [{ id: 1, version: 4 }] }])
})

test('labels of the selected devices are printed, each with a code, its place and serial', async () => {
  const retired = sampleReal({ id: 2, imei: 'V-302', use: 'retired' })
  const { user } = await openPage([sampleReal(), retired], '/dev/fmdevmanager?pick=1,2')
  const print = vi.fn(() => {
    window.dispatchEvent(new Event('beforeprint'))
    const printed = document.querySelectorAll('[data-printed] [data-testid="label"]')
    expect([...printed].map(({ textContent }) => textContent)).toEqual([expect.stringContaining('V-301')])
    expect(printed[0]?.querySelector('svg')).toBeTruthy()
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })
  vi.stubGlobal('print', print)
  await user.click(await screen.findByTestId('bulk-labels'))
  await user.click(await screen.findByTestId('labels-print'))
  expect(print).toHaveBeenCalledOnce()
  expect(document.querySelector('[data-printed]')).toBeNull()
})
