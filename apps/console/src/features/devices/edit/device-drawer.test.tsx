import type { Permission } from '@isotherm/contract/access/permissions'
import type { Device } from '@isotherm/contract/devices'
import { getEntityHistory } from '@isotherm/contract/endpoints/administration/operations'
import { getIrrigationUses } from '@isotherm/contract/endpoints/control/irrigation'
import { getCtlDev } from '@isotherm/contract/endpoints/devices/control-devices'
import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { getDev, getDevice, replaceDev, updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { getGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import {
  type GatewayRefusal,
  getGatewayLogin,
  getGatewayRefusals,
  makeConnectionToken,
  revokeGatewayLogin,
  rotateGatewayLogin,
  showGatewayLogin,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { getUnregisteredDevices } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { rbacGetDataLastFromLeafs } from '@isotherm/contract/endpoints/monitoring/real-values'
import { getDataHisFromDevs } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { type ComponentProps, type ComponentType, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { FirstReadings } from '../first-readings/first-readings.tsx'
import { NOW, sampleDevice, sampleReal } from '../list/device-samples.testkit.ts'
import DeviceDrawer from './device-drawer.tsx'

const model = {
  id: 9,
  kind: 'valve',
  name: 'HV-25',
  maker: '',
  description: '',
  version: 1,
  abilities: [],
} as const

const refusal: GatewayRefusal = {
  id: 5,
  deviceId: 1,
  name: '集中器',
  user: 'a/C-1',
  serial: 'C-1',
  reason: 'wrong-password',
  address: '10.0.0.7',
  count: 3,
  firstAt: NOW - 9_000,
  lastAt: NOW,
}

async function openDrawer(
  over: Partial<Device> = {},
  lines: readonly object[] = [],
  permissions: readonly Permission[] = ['pd-fmdevmanager'],
  Part: ComponentType<ComponentProps<typeof DeviceDrawer>> = DeviceDrawer,
) {
  stubLayout()
  const device = sampleDevice(over)
  const api = startFakeApi()
  api.answer(getDevice, ({ id }) => ({ ...device, id }))
  api.answer(getDev, { datalist: [], total: 0 })
  api.answer(getAllDevModels, { datalist: [{ ...model, abilities: [] }], total: 1 })
  api.answer(rbacGetDataLastFromLeafs, { datalist: [sampleReal(over)], total: 1 })
  api.answer(getFindings, { datalist: [], total: 0 })
  const refusals = device.kind === 'concentrator' ? [refusal] : []
  api.answer(getGatewayRefusals, { datalist: refusals, total: refusals.length })
  const config = gatewayConfig.parse({ v: 1, push: { port: 9001 }, lines })
  api.answer(getDataHisFromDevs, { series: [] })
  api.answer(getUnregisteredDevices, { datalist: [], total: 0 })
  api.answer(getGatewayConfig, { id: 1, version: 1, config })
  api.answer(getCtlDev, { datalist: [], total: 0 })
  api.answer(getIrrigationUses, { datalist: [] })
  api.answer(getEntityHistory, { datalist: [], total: 0 })
  const [onOpen, onClose, onChanged] = [vi.fn(), vi.fn(), vi.fn()]
  const view = await renderPart(<Part id={1} onOpen={onOpen} onClose={onClose} onChanged={onChanged} />, {
    permissions: [...permissions],
  })
  return { api, device, onOpen, onClose, onChanged, ...view }
}

test('an edit sends only what changed, with the version that was seen', async () => {
  const { api, user, device, onChanged } = await openDrawer({ concentrator: 'C-1', concentratorId: 3 })
  api.answer(updateDev, { ...device, name: '新阀' })
  const name = await screen.findByTestId('field-name')
  await user.clear(name)
  await user.type(name, '新阀')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(onChanged).toHaveBeenCalled())
  expect(api.calls(updateDev)).toEqual([{ id: 1, version: 4, name: '新阀' }])
  expect(useNotices.getState().notices.map(({ text }) => text)).toEqual(['新阀 已保存'])
})

/** A page that opens the device again with a button after its drawer closed. */
function Page(props: ComponentProps<typeof DeviceDrawer>) {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button type="button" data-testid="reopen" onClick={() => setOpen(true)} />
      <DeviceDrawer {...props} id={isOpen ? props.id : undefined} onClose={() => setOpen(false)} />
    </>
  )
}

test('who opens a device again right after a save gets the saved values into the form', async () => {
  const { api, user, device, onChanged } = await openDrawer({}, [], undefined, Page)
  const saved = { ...device, description: '新说明', version: 5 }
  api.answer(updateDev, saved)
  await user.type(await screen.findByTestId('field-description'), '新说明')
  // The record takes longer than the person.
  const answer = Promise.withResolvers<void>()
  api.answer(getDevice, async () => {
    await answer.promise
    return saved
  })
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(onChanged).toHaveBeenCalled())
  fireEvent.click(screen.getByTestId('reopen'))
  answer.resolve()
  await waitFor(() => expect(screen.getByTestId('field-description')).toHaveProperty('value', '新说明'))
  await user.type(screen.getByTestId('field-description'), '二')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(updateDev)).toHaveLength(2))
  expect(api.calls(updateDev).at(-1)).toEqual({ id: 1, version: 5, description: '新说明二' })
})

test('the characteristic of a valve is stated with its values; an incomplete one is not sent', async () => {
  const { api, user, device } = await openDrawer()
  api.answer(updateDev, device)
  fireEvent.mouseDown((await screen.findByTestId('field-characteristic')).firstElementChild ?? document.body)
  await user.click(await screen.findByTitle('等百分比'))
  await user.type(screen.getByTestId('curve-kvs'), '16')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText(/请填全/)).toBeTruthy()
  expect(api.calls(updateDev)).toEqual([])
  await user.type(screen.getByTestId('curve-rangeability'), '50')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(updateDev)).toEqual([
      { id: 1, version: 4, characteristic: { kind: 'equal-percentage', kvsM3H: 16, rangeability: 50 } },
    ]),
  )
})

test('a move sends only the chosen node, and names the present and the new place', async () => {
  const { api, user, device } = await openDrawer()
  const step = { node: '8', label: '2单元', level: 7, nodetype: 'addr' } as const
  const hit = { chain: [step], nestaddr: '集团,公司,2单元', projectid: 1, match: 'name' } as const
  api.answer(searchTree, { datalist: [{ ...hit, chain: [step] }], more: false })
  api.answer(updateDev, { ...device, nestaddr: '集团,公司,2单元' })
  await user.click(await screen.findByTestId('device-move'))
  expect(screen.getByText(/现在位置：集团 \/ 公司 \/ 东区/)).toBeTruthy()
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('必填')).toBeTruthy()
  await user.type(screen.getByRole('combobox', { name: /新位置/ }), '2单元')
  await user.click(await screen.findByTitle('集团 / 公司 / 2单元'))
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(api.calls(updateDev)).toEqual([{ id: 1, version: 4, node: '8' }]))
})

test('a replacement sends the new serial and opens the new device', async () => {
  const { api, user, device, onOpen } = await openDrawer()
  const added = { ...device, id: 77, imei: 'V-302' }
  api.answer(replaceDev, { device: added, replaced: { ...device, use: 'retired', replacedBy: 77 } })
  await user.click(await screen.findByTestId('device-replace'))
  await user.type(await screen.findByTestId('field-imei'), 'V-302')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith(77))
  expect(api.calls(replaceDev)).toEqual([{ id: 1, version: 4, imei: 'V-302' }])
})

test('the devices that replaced each other are listed, oldest first', async () => {
  const { api, unmount } = await openDrawer()
  unmount()
  const old = sampleDevice({ id: 5, imei: 'V-OLD', use: 'retired', retiredAt: NOW, replacedBy: 1 })
  api.answer(getDev, ({ filter }) => {
    const isOfFirst = filter?.[0]?.vstd === 1
    return { datalist: isOfFirst ? [old] : [], total: isOfFirst ? 1 : 0 }
  })
  await renderPart(<DeviceDrawer id={1} onOpen={vi.fn()} onClose={vi.fn()} onChanged={vi.fn()} />)
  const segments = await screen.findByTestId('device-segments')
  await waitFor(() => expect(segments.querySelectorAll('li')).toHaveLength(2))
  expect(segments.querySelector('li')?.textContent).toContain('V-OLD')
})

test('before a concentrator with devices is retired, the page warns of them', async () => {
  const { api, user, device } = await openDrawer({ kind: 'concentrator', imei: 'C-1' })
  api.answer(getDev, ({ filter }) => ({
    datalist: [],
    total: filter?.[0]?.field === 'concentrator' ? 12 : 0,
  }))
  await user.click(await screen.findByTestId('device-use'))
  expect(await screen.findByText(/其后还有 12 台在用设备/)).toBeTruthy()
  api.refuse(updateDev, { code: 'entity.in-use', text: '正在被使用，不能执行此操作：设备 12 台' })
  const confirm = screen.getAllByRole('button', { name: '退役' }).at(-1)
  await user.click(confirm ?? document.body)
  expect(await screen.findByText(/正在被使用/)).toBeTruthy()
  expect(api.calls(updateDev)).toEqual([{ id: 1, version: device.version, use: 'retired' }])
})

test('a user who may not edit sees the device without forms', async () => {
  await openDrawer({ abilities: [] })
  expect(await screen.findByText('V-301')).toBeTruthy()
  for (const id of ['form-save', 'device-move', 'device-replace', 'device-use'])
    expect(screen.queryByTestId(id)).toBeNull()
})

test('credentials of a gateway are shown only on request, and are gone when the dialog closes', async () => {
  const { api, user } = await openDrawer({ kind: 'concentrator', imei: 'C-1' })
  const topics = { upTopic: 'hx/v1/a/C-1/up', downTopic: 'hx/v1/a/C-1/down' }
  const state = { username: 'a/C-1', isRevoked: false, takesTokens: true }
  api.answer(getGatewayLogin, state)
  api.answer(showGatewayLogin, {
    clientId: 'a/C-1',
    username: 'a/C-1',
    password: 'f00d',
    port: 1883,
    tlsPort: 8883,
    ...topics,
  })
  await user.click(await screen.findByTestId('device-login'))
  expect(await screen.findByText(/每个密码只显示一次/)).toBeTruthy()
  expect(api.calls(showGatewayLogin)).toEqual([])
  await user.click(screen.getByTestId('login-show'))
  expect((await screen.findByTestId('gateway-login')).textContent).toContain('f00d')
  const addresses = screen.getAllByText(/^mqtts?:/).map(({ textContent }) => textContent)
  expect(addresses).toEqual([`mqtts://${location.hostname}:8883`, `mqtt://${location.hostname}:1883`])
  expect(api.calls(showGatewayLogin)).toEqual([{ id: 1 }])
  expect(screen.getByText(/只显示这一次/)).toBeTruthy()
  api.answer(getGatewayLogin, { ...state, shown: { at: NOW, by: 'wang', way: 'page' } })
  await user.click(screen.getByText('关闭'))
  await user.click(screen.getByTestId('device-login'))
  expect((await screen.findByTestId('login-shown')).textContent).toMatch(/显示给 wang（在本页面）/)
  expect(screen.queryByText('f00d')).toBeNull()
  expect(screen.queryByTestId('login-show')).toBeNull()
})

test('a one-time token of a gateway is made for some hours, shown once, and its state is listed', async () => {
  const { api, user } = await openDrawer({ kind: 'concentrator', imei: 'C-1' })
  const state = { username: 'a/C-1', isRevoked: false, takesTokens: true }
  const token = { madeAt: NOW, by: 'wang', expiresAt: NOW + 72 * 3_600_000 }
  api.answer(getGatewayLogin, state)
  const made = { username: 'a/C-1', token: 'once-abc', expiresAt: token.expiresAt }
  api.answer(makeConnectionToken, { ...made, port: 1883, tlsPort: 8883 })
  await user.click(await screen.findByTestId('device-login'))
  api.answer(getGatewayLogin, { ...state, token })
  await user.click(await screen.findByTestId('token-make'))
  const shown = (await screen.findByTestId('token-shown')).textContent
  for (const part of ['once-abc', `mqtts://${location.hostname}:8883`, `mqtt://${location.hostname}:1883`])
    expect(shown).toContain(part)
  expect(api.calls(makeConnectionToken)).toEqual([{ id: 1, hours: 72, renew: false }])
  expect((await screen.findByTestId('token-state')).textContent).toContain('由 wang 于')
})

test('a password is rotated and revoked only after a question, with the version of the device', async () => {
  const { api, user, device } = await openDrawer({ kind: 'concentrator', imei: 'C-1' })
  api.answer(rotateGatewayLogin, {
    clientId: 'a/C-1',
    username: 'a/C-1',
    password: 'new-f00d',
    upTopic: 'hx/v1/a/C-1/up',
    downTopic: 'hx/v1/a/C-1/down',
  })
  api.answer(revokeGatewayLogin, { id: 1 })
  api.answer(getGatewayLogin, { username: 'a/C-1', isRevoked: true, takesTokens: true })
  await user.click(await screen.findByTestId('device-login'))
  await user.click(await screen.findByTestId('login-rotate'))
  expect(await screen.findByText(/旧密码立即失效/)).toBeTruthy()
  expect(api.calls(rotateGatewayLogin)).toEqual([])
  await user.click(screen.getAllByRole('button', { name: '更换密码' }).at(-1) ?? document.body)
  expect((await screen.findByTestId('gateway-login')).textContent).toContain('new-f00d')
  expect(api.calls(rotateGatewayLogin)).toEqual([{ id: 1, version: device.version }])
  await user.click(screen.getByTestId('login-revoke'))
  await user.click(screen.getAllByRole('button', { name: '吊销密码' }).at(-1) ?? document.body)
  await waitFor(() => expect(api.calls(revokeGatewayLogin)).toEqual([{ id: 1, version: device.version }]))
})

test('refused sign-ins of a gateway are shown with their reason and what to do', async () => {
  const { api } = await openDrawer({ kind: 'concentrator', imei: 'C-1' })
  expect(await screen.findByText('密码错误')).toBeTruthy()
  expect(screen.getByText('请重新配置密码；密码已丢失时请更换新密码。')).toBeTruthy()
  expect(screen.getByTestId('gateway-refusals').textContent).toContain('10.0.0.7')
  expect(api.calls(getGatewayRefusals)[0]).toMatchObject({ deviceId: 1 })
})

test('a device behind a concentrator has no credentials to show', async () => {
  await openDrawer({ concentrator: 'C-1', concentratorId: 3 })
  expect(await screen.findByTestId('device-move')).toBeTruthy()
  expect(screen.queryByTestId('device-login')).toBeNull()
})

test('the lines of a gateway are shown with their drivers, and no secret of them', async () => {
  const secret = 'push-token-of-the-line'
  const meter = { serial: 'M-1', address: '00001112345678', profile: 'heat-meter-cjt188' }
  const platform = {
    kind: 'ctwing',
    url: 'https://1.api.ctwing.cn',
    appKey: 'a',
    appSecret: 's',
    productId: '1',
    masterKey: 'm',
  }
  const topics = { upTopic: 'hx/v1/a/1/up/raw', downTopic: 'hx/v1/a/1/down/raw' }
  await openDrawer({ kind: 'concentrator', imei: 'C-1' }, [
    { driver: 'dtu-mqtt', id: 'L1', url: 'mqtts://dtu.example', ...topics, devices: [] },
    {
      driver: 'northbound-http',
      id: 'N1',
      pushToken: secret,
      platform,
      devices: [{ ...meter, platformId: '40edca19b012' }],
    },
  ])
  const { textContent } = await screen.findByTestId('gateway-lines')
  expect(textContent).toContain('L1透明 DTU（MQTT） · mqtts://dtu.example · hx/v1/a/1/up/raw · 0 台设备')
  expect(textContent).toContain(
    'N1NB-IoT 平台 · 中国电信 CTWing · https://1.api.ctwing.cn · 1 台设备 · 推送地址 /push/N1',
  )
  expect(textContent).not.toContain(secret)
})

test('a new device shows how its first readings look, and that there is none yet', async () => {
  const permissions = ['pd-fmdevmanager', 'pd-devdebug'] as const
  const { api } = await openDrawer({ kind: 'heat-meter' }, [], permissions)
  expect((await screen.findByTestId('first-readings')).textContent).toContain('近两天没有读数')
  const point = (metric: string, value: number) => ({
    deviceId: 1,
    metric,
    points: [[NOW, value, 0] as [number, number, number]],
    downsampled: false,
  })
  api.answer(getDataHisFromDevs, {
    series: [point('temp.supply', 38), point('temp.return', 45), point('heat.flow', 0.8)],
  })
  cleanup()
  await renderPart(<FirstReadings device={sampleDevice({ kind: 'heat-meter' })} />, {
    permissions: [...permissions],
  })
  const shown = await screen.findByTestId('first-readings')
  expect(shown.textContent).toContain('没有上报：累计热量')
  expect(shown.textContent).toContain('供回水温度传感器可能接反')
})
