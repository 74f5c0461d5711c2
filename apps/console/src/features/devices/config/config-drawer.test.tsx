import { getEntityHistory } from '@isotherm/contract/endpoints/administration/operations'
import { getAllDevProfiles } from '@isotherm/contract/endpoints/devices/device-profiles'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import { getGatewayConfig, setGatewayConfig } from '@isotherm/contract/endpoints/devices/gateway-configs'
import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { HIDDEN_SECRET } from '@isotherm/contract/gateways/secrets'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleDevice } from '../list/device-samples.testkit.ts'
import ConfigDrawer from './config-drawer.tsx'

const meter = { serial: 'M-1', address: '00001112345678', profile: 'heat-meter-cjt188' }
const stored = gatewayConfig.parse({
  v: 1,
  dtu: { port: 9_000 },
  lines: [{ driver: 'dtu-tcp', id: 'riser-1', registration: '867725030000017', devices: [meter] }],
})

async function openDrawer(config: GatewayConfig | null, unit?: string) {
  stubLayout()
  const api = startFakeApi()
  const behind = { concentrator: 'C-1', concentratorId: 7, kind: 'heat-meter' } as const
  api.answer(getDev, {
    datalist: ['M-1', 'M-2'].map((imei, at) =>
      sampleDevice({ ...behind, id: at + 20, imei, name: `热量表${at}` }),
    ),
    total: 2,
  })
  api.answer(getAllDevProfiles, { datalist: [], total: 0 })
  api.answer(getEntityHistory, { datalist: [], total: 0 })
  api.answer(getGatewayConfig, { id: 7, version: 3, configId: 2, config })
  const onClose = vi.fn()
  const view = await renderPart(
    <ConfigDrawer
      gateway={{ id: 7, imei: 'C-1', name: '集中器' }}
      isOpen
      {...(unit !== undefined && { unit })}
      onClose={onClose}
    />,
    { permissions: ['pd-datadevmanager'] },
  )
  await screen.findByTestId('config-save')
  return { api, onClose, ...view }
}
/** Saves, and answers the configuration that was sent. */
async function save({ api, user, onClose }: Awaited<ReturnType<typeof openDrawer>>) {
  api.answer(setGatewayConfig, { id: 7, version: 4 })
  await user.click(screen.getByTestId('config-save'))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  return api.calls(setGatewayConfig).at(-1)?.config
}
const enter = (testId: string, value: string) =>
  fireEvent.change(screen.getByTestId(testId), { target: { value } })

test('a line with its device is added by its form, with the listener that it needs; faults are at their fields', async () => {
  const { api, user, onClose } = await openDrawer(null)
  api.answer(setGatewayConfig, { id: 7, version: 1 })
  await user.click(screen.getByTestId('config-add-line'))
  await user.click(await screen.findByText('透明 DTU（TCP）'))
  await user.click(screen.getByTestId('config-add-device'))
  await user.click(screen.getByTestId('config-save'))
  expect(await screen.findAllByText('必填')).toHaveLength(2)
  expect(api.calls(setGatewayConfig)).toEqual([])
  enter('config-lines.0.registration', '867725030000018')
  enter('config-lines.0.devices.0.address', '5')
  expect(await screen.findByText('地址与设备档案的协议不符')).toBeTruthy()
  enter('config-lines.0.devices.0.address', '00001112345678')
  await waitFor(() => expect(screen.queryByText('地址与设备档案的协议不符')).toBeNull())
  await user.click(screen.getByTestId('config-save'))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(api.calls(setGatewayConfig)).toEqual([
    {
      id: 7,
      version: 3,
      config: gatewayConfig.parse({
        v: 1,
        dtu: { port: 9_000 },
        lines: [{ driver: 'dtu-tcp', id: 'line-1', registration: '867725030000018', devices: [meter] }],
      }),
    },
  ])
})

test('a line is opened for a unit that connected; changes that another user saved meanwhile are merged', async () => {
  const { api, user } = await openDrawer(stored, '867725030000099')
  expect(screen.getByTestId('config-lines.1.registration')).toHaveProperty('value', '867725030000099')
  api.refuse(setGatewayConfig, { code: 'entity.stale', text: '网关配置刚被 li 修改' })
  await user.click(screen.getByTestId('config-save'))
  expect(await screen.findByText('网关配置刚被 li 修改')).toBeTruthy()
  const [line] = stored.lines
  const adopted = { ...meter, serial: 'M-2', address: '00001112345679' }
  const newest = gatewayConfig.parse({ ...stored, lines: [{ ...line, devices: [meter, adopted] }] })
  api.answer(getGatewayConfig, { id: 7, version: 4, configId: 2, config: newest })
  api.answer(setGatewayConfig, { id: 7, version: 5 })
  await user.click(screen.getByTestId('form-reload'))
  await waitFor(() => expect(screen.queryByTestId('form-reload')).toBeNull())
  await user.click(screen.getByTestId('config-save'))
  await waitFor(() => expect(api.calls(setGatewayConfig)).toHaveLength(2))
  const [, last] = api.calls(setGatewayConfig)
  expect(last?.version).toBe(4)
  expect(last?.config.lines.map(({ id, devices }) => [id, devices.length])).toEqual([
    ['riser-1', 2],
    ['867725030000099', 0],
  ])
})

test('the open line stays open where the newest values have it at another position', async () => {
  const { api, user } = await openDrawer(stored, '867725030000099')
  api.refuse(setGatewayConfig, { code: 'entity.stale', text: '网关配置刚被 li 修改' })
  await user.click(screen.getByTestId('config-save'))
  const other = { driver: 'dtu-tcp', id: 'of-li', registration: '867725030000055', devices: [] }
  const newest = gatewayConfig.parse({ ...stored, lines: [...stored.lines, other] })
  api.answer(getGatewayConfig, { id: 7, version: 4, configId: 2, config: newest })
  await user.click(await screen.findByTestId('form-reload'))
  await waitFor(() =>
    expect(screen.getByTestId('config-lines.2.registration')).toHaveProperty('value', '867725030000099'),
  )
})

const secretLine = {
  driver: 'dtu-mqtt',
  id: 'L1',
  url: 'mqtt://dtu.example',
  username: 'heat',
  password: HIDDEN_SECRET,
  upTopic: 'up',
  downTopic: 'down',
  devices: [],
}
const withSecret = gatewayConfig.parse({ v: 1, lines: [secretLine] })

test('a stored secret whose field is empty again stays stored; only its button removes it', async () => {
  const drawer = await openDrawer(withSecret)
  await drawer.user.click(screen.getByTestId('config-line-L1'))
  enter('config-lines.0.password', 'x')
  enter('config-lines.0.password', '')
  enter('config-lines.0.upTopic', 'other')
  expect((await save(drawer))?.lines).toEqual([{ ...withSecret.lines[0], upTopic: 'other' }])
})

test('the button of an optional secret removes it', async () => {
  const drawer = await openDrawer(withSecret)
  await drawer.user.click(screen.getByTestId('config-line-L1'))
  await drawer.user.click(screen.getByTestId('config-lines.0.password-remove'))
  expect((await save(drawer))?.lines).toEqual([{ ...withSecret.lines[0], password: undefined }])
})

test('the page before is shown when the only entry of the last page is removed', async () => {
  const lines = Array.from({ length: 21 }, (_, at) => ({ ...secretLine, id: `L${at}`, upTopic: `up${at}` }))
  const { user } = await openDrawer(gatewayConfig.parse({ v: 1, lines }))
  await user.click(screen.getByTitle('2'))
  await user.click(screen.getByRole('button', { name: '删除线路 L20' }))
  expect(screen.getAllByTestId(/^config-line-/)).toHaveLength(20)
})

test('no profile of another kind is guessed for a device', async () => {
  const line = { driver: 'modbus-tcp', id: 'station', host: '10.0.0.20', devices: [] }
  const { user } = await openDrawer(gatewayConfig.parse({ v: 1, lines: [line] }))
  await user.click(screen.getByTestId('config-line-station'))
  await user.click(screen.getByTestId('config-add-device'))
  expect(screen.getByTestId('config-lines.0.devices.0.serial')).toBeTruthy()
  expect(screen.getByTestId('config-lines.0.devices.0.profile').textContent).toBe('')
})

test('a line states when its valve takes commands', async () => {
  const valve = { serial: 'M-1', address: '24e124791b012345', profile: 'valve-milesight-wt101' }
  const line = { driver: 'chirpstack-mqtt', id: 'lora-1', url: 'mqtt://radio', devices: [valve] }
  const radio = gatewayConfig.parse({
    v: 1,
    lines: [{ ...line, applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97' }],
  })
  const drawer = await openDrawer(radio)
  await drawer.user.click(screen.getByTestId('config-line-lora-1'))
  const field = await screen.findByTestId('config-lines.0.devices.0.listens')
  fireEvent.mouseDown(field.querySelector('.ant-select-selector') ?? field)
  await drawer.user.click(await screen.findByTitle('随时（C 类）'))
  const config = await save(drawer)
  expect(config?.lines[0]?.devices[0]).toEqual({ ...valve, listens: 'always' })
})
