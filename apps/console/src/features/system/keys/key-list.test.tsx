import {
  type ApiKey,
  addApiKey,
  deleteApiKey,
  getApiKeys,
} from '@isotherm/contract/endpoints/administration/api-keys'
import { getInterfaces } from '@isotherm/contract/endpoints/administration/interfaces'
import { DAY_MS } from '@isotherm/kernel/durations'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import InterfacesysPage from '../interfaces/interfacesys-page.tsx'

const SECRET = 'ik_secret-of-the-new-key'

const keyOf = (id: number, over: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: `程序${id}`,
  start: `ik_start${id}`,
  account: 'admin',
  permissions: ['pe-fmreal'],
  readOnly: true,
  nodes: null,
  callsPerMinute: 600,
  createdAt: Date.now() - DAY_MS,
  expiresAt: Date.now() + DAY_MS,
  lastUsedAt: null,
  version: 2,
  abilities: ['delete'],
  ...over,
})

async function openPage(keys: readonly ApiKey[], options: RenderOptions = {}) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getApiKeys, { datalist: [...keys], total: keys.length })
  api.answer(getInterfaces, { datalist: [], total: 0 })
  const view = await renderPart(<InterfacesysPage />, {
    permissions: ['ps-interfacesys', 'pe-fmreal', 'pc-caldata'],
    address: '/sys/interfacesys?view=keys',
    ...options,
  })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

async function choose(option: string) {
  const picker = screen.getByTestId('field-permissions')
  fireEvent.mouseDown(picker.querySelector('.ant-select-content') ?? picker)
  fireEvent.click(await screen.findByText(option))
}

test('keys are a view of the page of interfaces, named in the address', async () => {
  const { user, address } = await openPage([keyOf(1)])
  expect((await screen.findByTestId('record-1')).textContent).toBe('程序1')
  await user.type(screen.getByTestId('record-search'), '程')
  await waitFor(() => expect(decodeURIComponent(address())).toBe('/sys/interfacesys?q=程&view=keys'))
  await user.click(screen.getByText('接口'))
  await waitFor(() => expect(address()).toBe('/sys/interfacesys'))
})

test.each([
  ['zh', ['从未使用', '用户的全部范围', '已过期', '只读']],
  ['en', ['Never used', 'Whole access of the user', 'Expired', 'Read only']],
] as const)('scope, expiry and last use are stated in %s', async (language, texts) => {
  await openPage([keyOf(1, { expiresAt: Date.now() - DAY_MS })], { language })
  for (const text of texts) expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
})

test('a key without permissions is not sent', async () => {
  const { api, user } = await openPage([])
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '气象平台')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('必填')).toBeTruthy()
  expect(api.calls(addApiKey)).toEqual([])
})

test('a new key is shown once, until the user confirms to have stored it', async () => {
  const { api, user } = await openPage([])
  api.answer(addApiKey, { key: SECRET, record: keyOf(5) })
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '气象平台')
  await choose('阀门实时监测 (pe-fmreal)')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByTestId('new-key')).toHaveProperty('value', SECRET)
  expect(api.calls(addApiKey)).toMatchObject([
    { name: '气象平台', permissions: ['pe-fmreal'], readOnly: true, nodes: [], callsPerMinute: 600 },
  ])
  // Only the confirmation closes the dialog.
  expect(document.querySelectorAll('.ant-modal button.ant-btn')).toHaveLength(1)
  await user.click(screen.getByTestId('new-key-stored'))
  await waitFor(() => expect(screen.queryByDisplayValue(SECRET)).toBeNull())
})

test('a refused key is explained in the form', async () => {
  const { api, user } = await openPage([])
  api.refuse(addApiKey, { code: 'api-key.bad-expiry', text: '有效期须在今后 730 天以内' })
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '气象平台')
  await choose('热量统计 (pc-caldata)')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText('有效期须在今后 730 天以内')).toBeTruthy()
  expect(screen.queryByTestId('new-key')).toBeNull()
})

test('selected keys are deleted after a question that names the consequence', async () => {
  const { api, user } = await openPage([keyOf(1), keyOf(2)], {
    address: '/sys/interfacesys?view=keys&pick=1,2',
  })
  api.decide(deleteApiKey, ({ id }) =>
    id === 1 ? { data: { deleted: 1 } } : { refusal: { code: 'api-key.not-found', text: '接口密钥不存在' } },
  )
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText(/删除 2 个密钥？使用它们的程序立即/)).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  await screen.findByTestId('bulk-close')
  expect(screen.getByText('接口密钥不存在')).toBeTruthy()
  expect(api.calls(deleteApiKey)).toContainEqual({ id: 1, version: 2 })
})
