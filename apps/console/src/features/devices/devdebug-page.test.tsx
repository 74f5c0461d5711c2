import type { Device } from '@isotherm/contract/devices'
import { getEntityHistory } from '@isotherm/contract/endpoints/administration/operations'
import { getCtlLog, previewMqCtlCmd, publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { getAllDevProfiles } from '@isotherm/contract/endpoints/devices/device-profiles'
import { getDev, getDevice, getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { getReadRequest, requestRead } from '@isotherm/contract/endpoints/devices/read-requests'
import { getAlarmLog } from '@isotherm/contract/endpoints/monitoring/alarms'
import { getFindings } from '@isotherm/contract/endpoints/monitoring/findings'
import { getRawFrames } from '@isotherm/contract/endpoints/monitoring/raw-frames'
import { rbacGetDataLastFromLeafs } from '@isotherm/contract/endpoints/monitoring/real-values'
import { getDataHisFromDevs } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { getPlace } from '@isotherm/contract/endpoints/network/tree'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../shared/testing/render-part.testkit.tsx'
import DevdebugPage from './devdebug-page.tsx'
import { NOW, sampleDevice, sampleReal } from './list/device-samples.testkit.ts'

const command = {
  id: 'c1',
  batchId: 'b1',
  deviceId: 1,
  deviceName: '入户阀',
  nestaddr: '集团',
  kind: 'valve.set',
  openingPct: 60,
  previousPct: 40,
  state: 'confirmed',
  resultCode: 0,
  priority: 'manual',
  actor: 'zhang',
  reason: '回水低',
  createdAt: NOW - HOUR_MS,
  updatedAt: NOW,
  expiresAt: NOW,
  reached: {},
} as const
const change = {
  operationId: 5,
  entity: 'device',
  entityId: '1',
  version: 4,
  action: 'changed',
  before: { name: '旧名' },
  after: { name: '入户阀' },
  at: NOW - 2 * HOUR_MS,
  account: 'li',
  endpoint: 'updateDev',
} as const
const entry = {
  id: 7,
  at: NOW - 3 * HOUR_MS,
  event: 'raised',
  account: '',
  detail: '',
  alarmId: 3,
  kind: 'battery-low',
  severity: 'warning',
  node: '5',
  nestaddr: '集团',
  deviceId: 1,
} as const

/** Reply of a heat meter in the layout of CJ/T 188-2004. */
const HEAT_REPLY =
  '682078563412110000812E1F90010010000005563412000550120000172381000035509900002C254800103800214300000008010170190000D516'

async function openPage(address: string, over: Partial<Device> = {}) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getDevice, sampleDevice(over))
  api.answer(getDev, { datalist: [], total: 0 })
  api.answer(getAllDevProfiles, { datalist: [], total: 0 })
  api.answer(getAllDevModels, { datalist: [], total: 0 })
  api.answer(getReadRequest, { request: null })
  api.answer(getFindings, { datalist: [], total: 0 })
  api.answer(rbacGetDataLastFromLeafs, { datalist: [sampleReal(over)], total: 1 })
  api.answer(getCtlLog, { datalist: [command], total: 1 })
  api.answer(getAlarmLog, { datalist: [entry], total: 1 })
  api.answer(getEntityHistory, { datalist: [change], total: 1 })
  const view = await renderPart(<DevdebugPage />, { permissions: ['pd-devdebug', 'pe-fmcontrol'], address })
  return { api, ...view }
}

test('a device is found by a part of its number and opened with its own address', async () => {
  const { api, user, address } = await openPage('/dev/devdebug')
  api.answer(getDevs, { list: [sampleDevice()], total: 1 })
  expect(screen.getByText('请选择一台设备')).toBeTruthy()
  await user.type(screen.getByRole('combobox', { name: /编号/ }), 'V-3')
  await user.click(await screen.findByTitle(/V-301 · 集团/))
  await waitFor(() => expect(address()).toBe('/dev/devdebug?id=1'))
  expect(await screen.findByText('入户阀 · V-301')).toBeTruthy()
  expect(api.calls(getDevs).at(-1)).toMatchObject({ text: 'V-3' })
})

test('the timeline has commands, alarms and changes with their authors, newest first', async () => {
  await openPage('/dev/devdebug?id=1')
  const lines = within(await screen.findByTestId('timeline')).getAllByRole('listitem')
  const texts = lines
    .filter(({ parentElement }) => parentElement?.tagName === 'OL')
    .map(({ textContent }) => textContent)
  expect(texts).toHaveLength(3)
  expect(texts[0]).toContain('40% → 60%')
  expect(texts[0]).toContain('zhang · 回水低')
  expect(texts[1]).toContain('旧名')
  expect(texts[1]).toContain('li')
  expect(texts[2]).toContain('电池电量低 · 产生')
})

test('newest values have unit, age and quality; readings are a table by time', async () => {
  const { api } = await openPage('/dev/devdebug?id=1&show=readings&range=7d')
  const points: [number, number, number][] = [
    [NOW - 2_000, 40, 0],
    [NOW - 1_000, 41, 2],
  ]
  const series = { deviceId: 1, metric: 'valve.opening', points, downsampled: false }
  api.answer(getDataHisFromDevs, { series: [series] })
  const newest = (await screen.findByText('最新读数')).closest('section') ?? document.body
  await waitFor(() => expect(newest.textContent).toContain('电池电压3.62'))
  const table = await screen.findByTestId('readings')
  await waitFor(() => expect(table.textContent).toContain('41%'))
  expect(table.textContent?.indexOf('41%')).toBeLessThan(table.textContent?.indexOf('40%') ?? 0)
  expect(table.textContent).toContain('传感器故障')
  const [input] = api.calls(getDataHisFromDevs)
  expect((input?.to ?? 0) - (input?.from ?? 0)).toBe(168 * HOUR_MS)
})

test('raw frames of both directions are shown as bytes with their meaning', async () => {
  const { api } = await openPage('/dev/devdebug?id=1&show=frames')
  const sent = { receivedAt: NOW, ts: NOW, node: 'C-1', named: 'M-1', dir: 'tx' } as const
  api.answer(getRawFrames, {
    datalist: [
      { ...sent, hex: '68207856341211000001031f90016116' },
      { ...sent, dir: 'rx', hex: '0103' },
    ],
    total: 2,
  })
  const frames = await screen.findByTestId('frames')
  expect(frames.textContent).toContain('68 20 78 56 34 12 11 00 00 01 03 1F 90 01 61 16')
  expect(screen.getByTestId('frame-meaning').textContent).toBe('CJ/T 188 请求 · 读数据 · 地址 00001112345678')
  expect(frames.textContent).toContain('01 03')
})

test('a raw reply shows its values, and all its fields with their exact text', async () => {
  const { api } = await openPage('/dev/devdebug?id=1&show=frames')
  const received = { receivedAt: NOW, ts: NOW, node: 'C-1', named: 'M-1', dir: 'rx' } as const
  api.answer(getRawFrames, { datalist: [{ ...received, hex: HEAT_REPLY }], total: 1 })
  const frames = await screen.findByTestId('frames')
  expect(screen.getByTestId('frame-meaning').textContent).toContain(
    'CJ/T 188 应答 · 读数据 · 地址 00001112345678',
  )
  expect(screen.getByTestId('frame-meaning').textContent).toContain('热量 1234.56 kWh · 功率 12.50 kW')
  const fields = within(frames).getByTestId('frame-fields')
  expect(fields.textContent).toContain('表内时钟1970-01-01 08:00:00')
  expect(fields.textContent).toContain('阀门状态开')
})

test('for a pasted frame the page shows protocol, checksum, fields and the readings by a profile, without a device', async () => {
  const { user } = await openPage('/dev/devdebug')
  const panel = await screen.findByTestId('paste-frame')
  const input = within(panel).getByRole('textbox', { name: '十六进制报文' })
  await user.click(input)
  await user.paste('68 2')
  expect(await screen.findByText(/不是十六进制/)).toBeTruthy()
  await user.clear(input)
  await user.paste('01 02 03')
  expect(await screen.findByText('无法识别协议')).toBeTruthy()
  await user.clear(input)
  await user.paste(HEAT_REPLY)
  expect((await screen.findByTestId('paste-summary')).textContent).toContain('校验正确（D5）')
  expect(within(panel).getByTestId('frame-fields').textContent).toContain('热量1234.56 kWh')
  const stored = within(panel).getByTestId('stored')
  expect(stored.textContent).toContain('1,235')
  // 12.5 kW are not what 0.8 m³/h carry over 10 K.
  expect(stored.textContent).toContain('数值可疑')
  await user.clear(input)
  await user.paste(HEAT_REPLY.replace('D516', 'D616'))
  expect((await screen.findByTestId('paste-summary')).textContent).toContain('校验错误：应为 D5，实为 D6')
  expect(within(panel).getByTestId('stored').textContent).toContain('报文损坏')
  expect(screen.getByTestId('paste-summary').textContent).toContain('校验和错误（第 58 字节为 D6，应为 D5）')
  await user.clear(within(panel).getByRole('textbox'))
  await user.paste(HEAT_REPLY.slice(0, -4))
  expect((await screen.findByTestId('paste-summary')).textContent).toContain('报文不完整（末尾缺 2 字节）')
})

test('another protocol is recognised, and its profile is chosen', async () => {
  const { user } = await openPage('/dev/devdebug')
  const panel = await screen.findByTestId('paste-frame')
  await user.click(within(panel).getByRole('textbox', { name: '十六进制报文' }))
  await user.paste('03 04 04 FF 9C 0E 10 2D D2')
  expect((await screen.findByTestId('paste-summary')).textContent).toContain(
    'Modbus RTU 应答 · 读输入寄存器 · 地址 3',
  )
  expect(within(panel).getByTestId('stored').textContent).toContain('-10.0')
  await user.clear(within(panel).getByRole('textbox', { name: '十六进制报文' }))
  await user.paste('03 04 04 FF 9C 0E 10 2D D3')
  expect((await screen.findByTestId('paste-summary')).textContent).toContain('校验错误：应为 D22D，实为 D32D')
})

test('the payload of a LoRaWAN device, which is no frame, is read by the profile that finds readings in it', async () => {
  const { user } = await openPage('/dev/devdebug')
  const panel = await screen.findByTestId('paste-frame')
  await user.click(within(panel).getByRole('textbox', { name: '十六进制报文' }))
  await user.paste('01 75 61 04 67 2C 01 03 67 0A 01 05 92 64')
  const stored = await within(panel).findByTestId('stored')
  expect(stored.textContent).toContain('100')
  expect(within(panel).getByText(/WT101/)).toBeTruthy()
})

test('a profile from a file is tried on the pasted frame, a wrong file is refused with the place of its fault', async () => {
  const { user } = await openPage('/dev/devdebug')
  const panel = await screen.findByTestId('paste-frame')
  await user.click(within(panel).getByRole('textbox', { name: '十六进制报文' }))
  await user.paste(HEAT_REPLY)
  await screen.findByTestId('paste-summary')
  // The field of the file is a new element after each choice.
  const choose = async (content: unknown): Promise<void> => {
    const field = panel.querySelector<HTMLInputElement>('input[type=file]')
    if (field === null) throw new Error('no field for a file')
    await user.upload(
      field,
      new File([JSON.stringify(content)], 'profile.json', { type: 'application/json' }),
    )
  }
  const profile = shippedProfiles.find(({ id }) => id === 'heat-meter-cjt188')
  if (profile?.bus.driver !== 'cjt188') throw new Error('no profile')
  await choose({ ...profile, pollPeriodS: 0 })
  expect(await screen.findByText(/档案无效.*pollPeriodS/)).toBeTruthy()
  const changed = { ...profile, id: 'own', bus: { ...profile.bus, flowDecimals: 3 } }
  await choose(changed)
  await waitFor(() => expect(within(panel).getByTestId('stored').textContent).toMatch(/8\.123\sm³/))
  expect(screen.queryByText(/档案无效/)).toBeNull()
})

test('an opening is set only after a dry run, with the whole address in the question', async () => {
  const { api, user } = await openPage('/dev/devdebug?id=1')
  api.answer(previewMqCtlCmd, { refused: [], ends: [], totals: [] })
  await user.type(await screen.findByTestId('debug-opening'), '60')
  await user.type(screen.getByTestId('debug-reason'), '检修')
  await user.click(screen.getByTestId('debug-set'))
  expect((await screen.findByTestId('debug-place')).textContent).toBe(
    '集团 / 公司 / 东区 / 一号站 / 阳光小区 / 3号楼 / 1单元 / 入户阀 (V-301)',
  )
  expect(api.calls(publishMqCtlCmd)).toEqual([])
  const batch = {
    id: 'b2',
    state: 'running',
    total: 1,
    counts: {},
    priority: 'manual',
    actor: '',
    reason: '',
    createdAt: NOW,
  } as const
  api.answer(publishMqCtlCmd, { batchId: 'b2', commands: [], batch: { ...batch, abilities: [] } })
  await user.click(screen.getByRole('button', { name: '下发' }))
  await waitFor(() =>
    expect(api.calls(publishMqCtlCmd)).toEqual([
      { targets: [{ deviceId: 1, openingPct: 60 }], reason: '检修' },
    ]),
  )
})

test('a refused opening cannot be sent, and its reason is named', async () => {
  const { api, user } = await openPage('/dev/devdebug?id=1')
  api.answer(previewMqCtlCmd, { refused: [{ deviceId: 1, reason: 'held' }], ends: [], totals: [] })
  await user.type(await screen.findByTestId('debug-opening'), '60')
  await user.click(screen.getByTestId('debug-set'))
  expect(await screen.findByText('被更高优先级保持')).toBeTruthy()
  expect(screen.getByRole('button', { name: '下发' })).toHaveProperty('disabled', true)
})

test('a user without control permission sees no form for commands', async () => {
  await openPage('/dev/devdebug?id=1', { abilities: ['edit'] })
  expect(await screen.findByText('入户阀 · V-301')).toBeTruthy()
  expect(screen.queryByTestId('set-opening')).toBeNull()
})

const requested = { id: 'read-1', deviceId: 1, actor: 'zhang', requestedAt: NOW, outcome: 'waiting' } as const

test('a device is read on request, and the page shows the times until its concentrator and the device answered', async () => {
  const { api, user } = await openPage('/dev/devdebug?id=1', { concentrator: 'C-1' })
  api.answer(requestRead, requested)
  api.answer(getReadRequest, {
    request: { ...requested, outcome: 'answered', gatewayAt: NOW + 400, endedAt: NOW + 2_100, code: 0 },
  })
  await user.click(await screen.findByTestId('read-now'))
  await waitFor(() => expect(screen.getByTestId('read-result').dataset.outcome).toBe('answered'), {
    timeout: 10_000,
  })
  const text = screen.getByTestId('read-result').textContent
  expect(text).toContain('2.1 秒后应答')
  expect(text).toContain('集中器 0.4 秒后应答')
  expect(text).toContain('zhang')
  expect(api.calls(requestRead)).toEqual([{ deviceId: 1 }])
})

test('a failed read shows its reason, also to the next user who opens the device', async () => {
  const { api } = await openPage('/dev/devdebug?id=1', { concentrator: 'C-1' })
  api.answer(getReadRequest, {
    request: {
      ...requested,
      outcome: 'failed',
      gatewayAt: NOW + 400,
      endedAt: NOW + 500,
      code: 423,
      detail: 'locked',
    },
  })
  await waitFor(() => expect(screen.getByTestId('read-result').textContent).toContain('locked（代码 423）'), {
    timeout: 10_000,
  })
})

test('the label of a place shows the devices there, and a device opens its page', async () => {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  const node = '0b4c7bf2-1a4f-4f6e-9a55-0a6f3c1d2e3f-L2-1单元-301'
  api.answer(getPlace, { node, name: '301', nestaddr: '集团,阳光小区,3号楼,1单元,301' })
  api.answer(getDev, { datalist: [sampleDevice({ id: 7, name: '入户阀', imei: 'V-301' })], total: 1 })
  const { user, address } = await renderPart(<DevdebugPage />, {
    permissions: ['pd-devdebug'],
    address: `/dev/devdebug?node=${encodeURIComponent(node)}`,
  })
  expect(await screen.findByText('集团 / 阳光小区 / 3号楼 / 1单元 / 301')).toBeTruthy()
  expect(api.calls(getDev)).toMatchObject([{ nodes: [node] }])
  await user.click(await screen.findByText(/入户阀 · V-301/))
  expect(address()).toBe('/dev/devdebug?id=7')
})
