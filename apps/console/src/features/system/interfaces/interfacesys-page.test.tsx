import type { OutputOf } from '@isotherm/contract/endpoint'
import { getBroker } from '@isotherm/contract/endpoints/administration/broker'
import {
  getInterfaces,
  type InterfaceItem,
  setInterfaceStates,
} from '@isotherm/contract/endpoints/administration/interfaces'
import { getEntityHistory } from '@isotherm/contract/endpoints/administration/operations'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import InterfacesysPage from './interfacesys-page.tsx'

const item = (name: string, over: Partial<InterfaceItem> = {}): InterfaceItem => ({
  name,
  kind: 'http',
  backend: 'ht-api',
  method: 'POST',
  address: `/ht-api/api/${name}`,
  summary: `Summary of ${name}.`,
  effect: 'reads',
  access: 'permission',
  permissions: ['ps-rolesys'],
  roles: ['管理员'],
  errors: ['entity.in-use'],
  enabled: true,
  calls: 0,
  failures: 0,
  p95Ms: null,
  abilities: ['switch'],
  ...over,
})

const roles = item('getAllRolesP', { calls: 1234, failures: 5, p95Ms: 41.6 })
const off = item('deleteRole', { enabled: false, effect: 'changes' })
const login = item('login', { access: 'public', permissions: [], roles: [], abilities: [] })
const topic = item('up/telemetry', {
  kind: 'mqtt',
  method: 'up',
  address: 'hx/v1/{tenant}/{node}/up/telemetry',
  access: 'device',
  permissions: [],
  roles: [],
  abilities: [],
})

async function openPage(
  items: readonly InterfaceItem[],
  options: RenderOptions & { readonly broker?: OutputOf<typeof getBroker> } = {},
) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getInterfaces, { datalist: [...items], total: items.length })
  api.answer(getBroker, options.broker ?? { isEmbedded: true, port: 1883 })
  const view = await renderPart(<InterfacesysPage />, {
    permissions: ['ps-interfacesys'],
    address: '/sys/interfacesys',
    ...options,
  })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

const names = () => screen.getAllByTestId(/^record-[a-z]+[A-Z/]/).map(({ textContent }) => textContent)

test.each([
  ['zh', ['查询角色', '网关上报数据', '任何人', '有凭据的设备', '管理员', '1,234', '42 毫秒']],
  [
    'en',
    ['List roles', 'Readings of a gateway', 'Anybody', 'Devices with credentials', 'Administrator', '42 ms'],
  ],
] as const)('calls and topics have names, callers, calls and p95 in %s', async (language, texts) => {
  await openPage([roles, login, topic], { language })
  for (const text of texts) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
})

test('kind, state and access are filters in the address; the search finds names of the language', async () => {
  const { user } = await openPage([roles, off, topic], { address: '/sys/interfacesys?state=disabled' })
  await waitFor(() => expect(names()).toEqual(['删除角色']))
  await user.click(screen.getByText('清除条件'))
  await user.type(screen.getByTestId('record-search'), '上报数据')
  await waitFor(() => expect(names()).toEqual(['网关上报数据']))
})

test('selected calls are disabled after a question that names the consequence; others are left out', async () => {
  const { api, user } = await openPage([roles, off, login], {
    address: '/sys/interfacesys?pick=getAllRolesP,deleteRole,login',
  })
  api.answer(setInterfaceStates, { changed: 1 })
  await user.click(await screen.findByTestId('bulk-disable'))
  expect(await screen.findByText(/停用 1 个接口？所有公司/)).toBeTruthy()
  expect(screen.getByText(/2 项不能执行此操作/)).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  await screen.findByTestId('bulk-close')
  expect(api.calls(setInterfaceStates)).toEqual([{ names: ['getAllRolesP'], enabled: false }])
})

test('a refusal is shown with its reason', async () => {
  const { api, user } = await openPage([off], { address: '/sys/interfacesys?pick=deleteRole' })
  api.refuse(setInterfaceStates, { code: 'access.denied', text: '没有权限' })
  await user.click(await screen.findByTestId('bulk-enable'))
  await user.click(await screen.findByTestId('bulk-start'))
  expect(await screen.findByText('没有权限')).toBeTruthy()
  expect(api.calls(setInterfaceStates)).toEqual([{ names: ['deleteRole'], enabled: true }])
})

test('an interface shows permissions, errors and when it was switched', async () => {
  const { api, user } = await openPage([roles], { permissions: ['ps-interfacesys', 'ps-oplogsys'] })
  api.answer(getEntityHistory, { datalist: [], total: 0 })
  await user.click(await screen.findByTestId('record-getAllRolesP'))
  expect(await screen.findByText('角色管理 (ps-rolesys)')).toBeTruthy()
  expect(screen.getByText(/正在被使用/)).toBeTruthy()
  await waitFor(() =>
    expect(api.calls(getEntityHistory)).toMatchObject([
      { entity: 'disabled-interface', entityId: 'getAllRolesP' },
    ]),
  )
})

test('a user of a company gets no actions', async () => {
  await openPage([{ ...roles, abilities: [] }], { address: '/sys/interfacesys?pick=getAllRolesP' })
  await waitFor(() => expect(names()).toEqual(['查询角色']))
  expect(screen.queryByTestId('bulk-disable')).toBeNull()
})

test('the addresses of the broker are shown with the days that its certificate still holds', async () => {
  const certificateEndsAt = Date.now() + 42 * DAY_MS + MINUTE_MS
  const tls = { certificateEndsAt, isCertificateRequired: true }
  await openPage([topic], { broker: { isEmbedded: true, port: 1883, tlsPort: 8883, tls } })
  const line = (await screen.findByTestId('broker-line')).textContent
  for (const text of [`mqtts://${location.hostname}:8883`, '还有 42 天', '要求设备证书'])
    expect(line).toContain(text)
  expect(screen.queryByTestId('broker-certificate')).toBeNull()
})

test.each([
  ['soon', 5 * DAY_MS + MINUTE_MS, '还有 5 天到期'],
  ['already', -DAY_MS, '不能再用 TLS 连接'],
])('a certificate and a revocation list that end %s are a warning', async (_, inMs, text) => {
  const ends = Date.now() + inMs
  const tls = {
    certificateEndsAt: ends,
    listEndsAt: Math.min(ends, Date.now() + DAY_MS),
    isCertificateRequired: false,
  }
  await openPage([topic], { broker: { isEmbedded: true, tlsPort: 8883, tls } })
  expect((await screen.findByTestId('broker-certificate')).textContent).toContain(text)
  expect(screen.getByTestId('broker-list').textContent).toContain('吊销列表')
})

test('an external broker is named as such', async () => {
  await openPage([topic], { broker: { isEmbedded: false } })
  expect(await screen.findByText(/外部代理/)).toBeTruthy()
})
